// The diagnosis as Markdown, fit to paste into an issue.
import type { Detail } from '../../../wasm/session';
import { capitalised, type Units } from '../format';
import { machine } from '../core/engine';
import { statusOf } from '../widgets/Marker';
import { figuresOf, gainOf } from './figures';

/** Verdict, lever, number, evidence, the other levers, and the figures as a table. */
export function asMarkdown(detail: Detail, unit: Units): string {
  const { row, verdict, lever, number, evidence, remarks, suggestions } = detail;
  const lines = [
    `### ${plain(row.name)}`,
    '',
    plain([row.type, statusOf(row), machine.value && `on ${machine.value.name}`].filter(Boolean).join(', ')),
    '',
    `**${plain(verdict)}**`,
    ...(lever ? ['', `${capitalised(lever)}: **${number}**`] : []),
    ...(evidence ? ['', evidence] : []),
    ...remarks.flatMap(remark => ['', `> ${plain(remark)}`]),
  ];
  if (suggestions.length > 0) {
    lines.push('', 'What would help:', '');
    suggestions.forEach((suggestion, i) => lines.push(`${i + 1}. ${plain(suggestion.change)}: ${gainOf(suggestion)}`));
  }
  lines.push('', '| figure | value | |', '|---|---|---|');
  for (const { name, value, note } of figuresOf(detail, unit))
    lines.push(`| ${[name, value, note].map(plain).join(' | ')} |`);
  return `${lines.join('\n')}\n`;
}

/** Escapes Markdown. */
const plain = (text: string) => text.replace(/[\\`*_{}[\]<>#|~]/g, '\\$&').replace(/\s+/g, ' ');
