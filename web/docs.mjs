// The documents as pages of the site, in the page's type and colours: docs/FOLDER/NAME becomes docs/NAME.html. The addresses have no folder, so
// that links to them last when a document moves. The pages need no script but for the theme.
import { readFile, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { Marked } from 'marked';

/** The folders of docs/ in the order of the menu, and the documents of each that come first; the others follow by name. */
const GROUPS = {
  guide: ['gallery', 'exercises', 'calculator', 'llm', 'accuracy', 'compare', 'measuring'],
  formats: ['formats', 'kernels', 'pytorch', 'nsight', 'rocm'],
  reference: ['command-line', 'conventions', 'operators', 'presets', 'registry'],
  developer: ['architecture'],
};

const POLICY =
  "default-src 'none'; style-src 'self'; script-src 'self'; img-src 'self' data:; base-uri 'none'; form-action 'none'";

/** A link to the page is written with its state in plain JSON (web/src/share/link.ts), and gets it as the page takes it. */
const PAGE = '../index.html#';

const escaped = text => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');

/** As GitHub names a heading, so that links between documents work there and here. */
const slug = text =>
  text
    .toLowerCase()
    .replace(/<[^>]*>|&\w+;/g, '')
    .replace(/[^\p{L}\p{N}\s_-]/gu, '')
    .trim()
    .replaceAll(' ', '-');

/** Links to other documents lead to their pages; what is in the repository alone is text. */
function markdown(names) {
  const target = href => {
    if (/^(https?:|#)/.test(href)) return href;
    if (href.startsWith(PAGE)) return PAGE + Buffer.from(decodeURI(href.slice(PAGE.length))).toString('base64url');
    const [, name, anchor = ''] = /^(?:\.\.\/\w+\/)?([\w-]+)\.md(#.*)?$/.exec(href) ?? [];
    return names.includes(name) ? `${name}.html${anchor}` : null;
  };
  const renderer = {
    heading({ tokens, depth }) {
      const text = this.parser.parseInline(tokens);
      return `<h${depth} id="${slug(text)}">${text}</h${depth}>\n`;
    },
    link({ href, tokens }) {
      const [to, text] = [target(href), this.parser.parseInline(tokens)];
      return to === null ? text : `<a href="${escaped(to)}">${text}</a>`;
    },
    code({ text }) {
      return `<pre tabindex="0"><code>${escaped(text)}</code></pre>\n`;
    },
    table(token) {
      const cells = (row, tag) =>
        `<tr>${row.map(({ tokens }) => `<${tag}>${this.parser.parseInline(tokens)}</${tag}>`).join('')}</tr>`;
      const body = token.rows.map(row => cells(row, 'td')).join('\n');
      return `<div class="scroll" tabindex="0"><table><thead>${cells(token.header, 'th')}</thead>\n<tbody>${body}</tbody></table></div>\n`;
    },
  };
  return new Marked({ renderer });
}

const page = (title, navigation, body) => `<!doctype html>
<html lang="en">
<head>
  <meta charset="utf-8">
  <meta http-equiv="Content-Security-Policy" content="${POLICY}">
  <meta name="viewport" content="width=device-width, initial-scale=1">
  <meta name="color-scheme" content="light dark">
  <title>${escaped(title)} · Roofline</title>
  <link rel="icon" href="data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 16 16'%3E%3Cpath d='M1 14 8 4h7' fill='none' stroke='%232f6fbf' stroke-width='2' stroke-linejoin='round'/%3E%3Ccircle cx='11' cy='9.5' r='1.8' fill='%23e0602a'/%3E%3C/svg%3E">
  <link rel="stylesheet" href="docs.css">
  <script src="theme.js"></script>
</head>
<body>
  <nav aria-label="Documents">
    <p><a href="../index.html">← Roofline</a></p>
${navigation}
  </nav>
  <main>
${body}
  </main>
</body>
</html>
`;

/** The site's documents: path to content, and an index of them in the order of the menu. */
export async function documents(folder) {
  const texts = new Map();
  const pictures = {};
  const groups = [];
  for (const [group, first] of Object.entries(GROUPS)) {
    const files = await readdir(join(folder, group));
    const rank = name => (first.includes(name) ? first.indexOf(name) : first.length);
    const names = files.filter(file => file.endsWith('.md')).map(file => file.slice(0, -3));
    names.sort((a, b) => rank(a) - rank(b) || (a < b ? -1 : 1));
    groups.push([group, names]);
    for (const name of names) texts.set(name, await readFile(join(folder, group, `${name}.md`), 'utf8'));
    for (const file of files.filter(file => /\.(svg|png)$/.test(file)))
      pictures[`docs/${file}`] = await readFile(join(folder, group, file));
  }
  const titleOf = name => /^# (.*)$/m.exec(texts.get(name))?.[1].replaceAll('`', '') ?? name;
  const navigation = current =>
    groups
      .map(([group, list]) => {
        const items = list.map(name => {
          const here = name === current ? ' aria-current="page"' : '';
          return `<li><a href="${name}.html"${here}>${escaped(titleOf(name))}</a></li>`;
        });
        return `<h2>${group[0].toUpperCase()}${group.slice(1)}</h2>\n<ul>\n${items.join('\n')}\n</ul>`;
      })
      .join('\n');
  const md = markdown([...texts.keys()]);
  const files = {};
  for (const [name, text] of texts) files[`docs/${name}.html`] = page(titleOf(name), navigation(name), md.parse(text));
  files['docs/index.html'] = page('Documents', '', `<h1>Documents</h1>\n${navigation('')}`);
  return { ...files, ...pictures };
}
