declare module "*.wasm.gz?url" {
  const address: string;
  export default address;
}
