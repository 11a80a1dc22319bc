// What `import createRoofline from "roofline-glue"` gives: the script that Emscripten writes to build/wasm/roofline.js.
import type { CoreModule } from "./session";

export default function createRoofline(options: {
  locateFile: (file: string) => string;
  instantiateWasm: (imports: WebAssembly.Imports, done: (instance: WebAssembly.Instance, module: WebAssembly.Module) => void) => object;
}): Promise<CoreModule>;
