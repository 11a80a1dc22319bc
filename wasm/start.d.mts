import type createRoofline from "roofline-glue";
import type { CoreModule } from "./session";

export function start(
  create: typeof createRoofline,
  core: BufferSource,
  rest: () => BufferSource,
): Promise<{ module: CoreModule; join: (bytes: BufferSource) => Promise<void> }>;
