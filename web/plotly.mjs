// What of Plotly the page takes: bars with a legend and hovering (src/charts/plotly.ts). Plotly's modules name each other, so what nobody
// can reach here is put out of the bundle by name: selecting and drawing by hand, the mode bar, most of D3; and with it the manual, which its
// attributes carry as their descriptions.
import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";

const require = createRequire(import.meta.url);

/// Modules as they are without their feature: what others call of them does nothing, the attributes they would bring are none.
const LEFT_OUT = {
  "components/selections/index.js": "exports.prepSelect = exports.clearOutline = exports.selectOnClick = () => {};",
  "components/selections/draw_newselection/attributes.js": "",
  "components/shapes/handle_outline.js": "exports.clearOutline = exports.clearOutlineControllers = () => {};",
  "components/shapes/draw_newshape/attributes.js": "",
  "components/modebar/index.js": "exports.manage = () => {};",
};

/// The parts of D3 (its src/, files that import each other as text) that Plotly's remaining modules call.
const D3 = ["compat/", "selection/", "event/", "transition/", "behavior/drag", "arrays/extent", "core/rebind", "format/round", "interpolate/ease", "scale/linear"];

async function d3() {
  const folder = join(dirname(require.resolve("@plotly/d3/package.json")), "src");
  const seen = new Set();
  const text = async (file) => {
    const path = file.endsWith("/") ? `${file}index.js` : `${file}.js`;
    if (seen.has(path)) return "";
    seen.add(path);
    const pieces = [];
    for (const line of (await readFile(path, "utf8")).split("\n")) {
      const imported = /^import "(.+)";$/.exec(line)?.[1];
      pieces.push(imported ? await text(join(dirname(path), imported)) : line);
    }
    return pieces.join("\n");
  };
  const parts = [];
  for (const part of ["start", ...D3, "end"]) parts.push(await text(join(folder, part)));
  return parts.join("\n");
}

const STRING = /'(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*"/.source;
const DESCRIPTION = new RegExp(`\\bdescription: *(?:${STRING}|\\[(?:${STRING}|[\\w.,+\\s])*\\]\\.join\\((?:${STRING})\\))`, "g");

export const plotlyParts = {
  name: "plotly-parts",
  setup({ onLoad }) {
    onLoad({ filter: /plotly\.js\/src\/.*\.js$/ }, async ({ path }) => {
      const contents = LEFT_OUT[path.slice(path.indexOf("plotly.js/src/") + "plotly.js/src/".length)];
      return { contents: contents ?? (await readFile(path, "utf8")).replace(DESCRIPTION, "description: ''"), loader: "js" };
    });
    onLoad({ filter: /@plotly\/d3\/d3\.js$/ }, async () => ({ contents: await d3(), loader: "js" }));
  },
};
