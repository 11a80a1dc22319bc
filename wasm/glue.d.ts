// What `import createRoofline from "roofline-glue"` gives: the script that Emscripten writes to build/wasm/roofline.js.
import type { CoreModule } from "./session";

interface Options {
  wasmBinary: ArrayBuffer;
  locateFile: (file: string) => string;
  printErr: (message: string) => void;
}
export default function createRoofline(options: Options): Promise<CoreModule>;
