// What `import createRoofline from "roofline-glue"` gives: the script that Emscripten writes to build/wasm/roofline.js.
import type { CoreModule } from "./session";

export default function createRoofline(options: {
  wasmBinary: ArrayBuffer;               // roofline.wasm: the glue fetches nothing by itself
  locateFile: (file: string) => string;  // file => file: without it older glue wants a base URL, which a Blob's worker has not
}): Promise<CoreModule>;
