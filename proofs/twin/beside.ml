(* The twin beside verify/: reads the claims that tests gave to the checker (test/verify/claims_log.c) and asks the function that
   Coq proved about each of their pieces. Where the checker accepts, the twin must; a piece that the checker refuses, the twin
   must refuse. Pieces without a certificate's proof, and volumes with a separation, are not its subject: they are counted.
   usage: beside FILE *)
module Big = Z
open Checker

let exact x = (* m, e: x = m 2^e *)
  let m, e = Float.frexp x in
  (Big.of_int64 (Int64.of_float (ldexp m 53)), e - 53)

let least l = List.fold_left (fun least x -> if x = 0. then least else min least (snd (exact x))) max_int l
let over e x = if x = 0. then Big.zero else let m, e' = exact x in Big.shift_left m (e' - e)
let rec nat n = if n = 0 then O else S (nat (n - 1))

type claim = {
  accepted : bool; fault : int; kind : int; separation_ : float; toi : float; radii : float array; x : float array;
  pieces : (string * float * float * float array) list }

let read line =
  let words = ref (String.split_on_char ' ' line) in
  let word () = match !words with w :: rest -> words := rest; w | [] -> failwith "a line ends early" in
  let number () = float_of_string (word ()) in
  let numbers n = let a = Array.make n 0. in for i = 0 to n - 1 do a.(i) <- number () done; a in
  let accepted = word () = "A" in
  let fault = int_of_string (word ()) in
  let kind = int_of_string (word ()) in
  let separation_ = number () in
  let toi = number () in
  let radii = numbers 4 in
  let x = numbers 24 in
  let count = int_of_string (word ()) in
  let pieces = List.init count (fun _ ->
    let proof = word () in let t0 = number () in let t1 = number () in let n = numbers 3 in (proof, t0, t1, n)) in
  { accepted; fault; kind; separation_; toi; radii; x; pieces }

(* rows of A and of B: vf, ee, pe, pp *)
let rows kind = match kind with 0 -> (1, 4) | 1 -> (2, 4) | 2 -> (1, 3) | _ -> (1, 2)

let pair_of c =
  let in_a, all = rows c.kind in
  let used = List.concat (List.init all (fun r ->
    c.radii.(r) :: List.concat (List.init 3 (fun k -> [ c.x.(3 * r + k); c.x.(12 + 3 * r + k) ])))) in
  let e = least (c.separation_ :: used) in
  let e = if e = max_int then 0 else e in
  let vec i = { vx = over e c.x.(i); vy = over e c.x.(i + 1); vz = over e c.x.(i + 2) } in
  let row r = { start = vec (3 * r); stop = vec (12 + 3 * r); radius = over e c.radii.(r) } in
  { rows_a = List.init in_a row; rows_b = List.init (all - in_a) (fun r -> row (in_a + r));
    separation = over e c.separation_ }

let piece_of e (proof, a, b, n) =
  let least = least (Array.to_list n) in
  let by_ = if proof = "v" then Volume else
    Direction { vx = over least n.(0); vy = over least n.(1); vz = over least n.(2) } in
  { t0 = over e a; t1 = over e b; by_ }

let is_thin c = c.separation_ = 0. && Array.for_all (fun r -> r = 0.) c.radii
let is_subject c (proof, _, _, n) =
  (proof = "d" && Array.exists (fun x -> x <> 0.) n) || (proof = "v" && is_thin c && c.kind < 2)

let () =
  let stream = open_in Sys.argv.(1) in
  let claims = ref 0 and whole = ref 0 and directions = ref 0 and volumes = ref 0 and other = ref 0 and refused = ref 0
  and wrong = ref 0 in
  let fuel = nat 200 in
  let disagree line what = incr wrong; Printf.printf "FAILED: %s: %s\n" what line in
  (try while true do
    let line = input_line stream in
    let c = read line in
    incr claims;
    let times = c.toi :: List.concat_map (fun (_, a, b, _) -> [ a; b ]) c.pieces in
    let e = min 0 (least times) in
    let d = Big.shift_left Big.one (- e) in
    let p = pair_of c in
    if c.accepted then begin
      List.iter (fun q ->
        if is_subject c q then begin
          let proof, _, _, _ = q in
          incr (if proof = "v" then volumes else directions);
          if not (lengths_ok p && piece_ok fuel d p (piece_of e q)) then disagree line "verify accepts a piece, the twin does not"
        end else incr other) c.pieces;
      if List.for_all (is_subject c) c.pieces then begin
        incr whole;
        if not (accepts fuel d p (over e c.toi) (List.map (piece_of e) c.pieces)) then
          disagree line "verify accepts, the twin does not"
      end
    end else if c.fault >= 0 && is_subject c (List.nth c.pieces c.fault) then begin
      incr refused;
      if piece_ok fuel d p (piece_of e (List.nth c.pieces c.fault)) then disagree line "the twin accepts what verify refuses"
    end
  done with End_of_file -> ());
  Printf.printf "%d claims: %d accepted as a whole, %d directions, %d volumes, %d refused pieces, %d of other kinds; %d disagree\n"
    !claims !whole !directions !volumes !refused !other !wrong;
  if !wrong > 0 || !directions < 1000 || !volumes < 10 || !refused < 100 then exit 1
