// What `import createRoofline from "roofline-glue"` gives: the script that Emscripten writes to build/wasm/roofline.js.
import type { CoreModule } from "./session";

export default function createRoofline(options: { wasmBinary: ArrayBuffer; locateFile: (file: string) => string }): Promise<CoreModule>;
