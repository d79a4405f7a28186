declare module "graze.wasm?url" {
  const address: string;
  export default address;
}
