// The whole page as one HTML file that opens by a double click: script, styles, core, charts, samples and documents within it. Its policy
// allows these very scripts and styles, by their hashes, and no connection at all.
import { createHash } from 'node:crypto';

const hash = content => `'sha256-${createHash('sha256').update(content).digest('base64')}'`;

/** Where a report has its data (web/src/share/report.ts, tools/cli/io/report.cpp): JSON, which no browser runs. */
const REPORT = '<script type="application/json" id="report"></script>\n';

/** A script's text that cannot end its element early. */
const inScript = code => code.replaceAll('</script', '<\\/script').replaceAll('<!--', '<\\!--');

/** `data`: the script that holds the files; it runs before `main`. */
export function singleFile({ html, style, data, main }) {
  const scripts = [inScript(data), inScript(main)];
  const policy = [
    "default-src 'none'",
    `script-src ${scripts.map(hash).join(' ')} blob: 'wasm-unsafe-eval'`,
    `style-src ${hash(style)} blob:`,
    "style-src-attr 'unsafe-inline'",
    'img-src data: blob:',
    'worker-src blob:',
    "connect-src 'none'",
    "base-uri 'none'",
    "form-action 'none'",
  ].join('; ');
  return html
    .replace(/(http-equiv="Content-Security-Policy" content=")[^"]*/, (_, start) => start + policy)
    .replace(/ *<link rel="stylesheet" href="style.css">\n/, () => `<style>${style}</style>\n`)
    .replace(/ *<script src="main.js" defer><\/script>\n/, '')
    .replace('</body>', () => `${REPORT}${scripts.map(code => `<script>${code}</script>\n`).join('')}</body>`);
}

/** The documents' pages, each by itself: style and pictures within it, links to other pages as their text. */
export function ownDocuments(documents, style) {
  const policy = `default-src 'none'; style-src ${hash(style)}; img-src data:; base-uri 'none'; form-action 'none'`;
  return Object.fromEntries(
    Object.entries(documents)
      .filter(([name]) => name.endsWith('.html'))
      .map(([name, page]) => [
        name,
        String(page)
          .replace(/(http-equiv="Content-Security-Policy" content=")[^"]*/, (_, start) => start + policy)
          .replace(/<link rel="stylesheet" href="docs.css">/, () => `<style>${style}</style>`)
          .replace(/<script[^>]*><\/script>/g, '')
          .replace(/<nav .*?<\/nav>/s, '')
          .replace(/<a href="(?:\.\.\/)?[\w-]+\.html[^"]*"[^>]*>(.*?)<\/a>/gs, '$1')
          .replace(/src="([\w.-]+)"/g, (whole, file) => {
            const picture = documents[`docs/${file}`];
            const type = file.endsWith('.svg') ? 'image/svg+xml' : 'image/png';
            return picture ? `src="data:${type};base64,${Buffer.from(picture).toString('base64')}"` : whole;
          }),
      ]),
  );
}
