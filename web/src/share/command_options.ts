// The options that the copied commands share: settings and filters, with hints for what no option says.
import { panelFrame } from '../core/engine';
import { settings } from '../core/settings';
import { viewState } from '../core/view';
import { opened } from '../sources/opened';

/** The words of a command, and hints for the user about what no option can express. */
export interface CommandParts {
  words: string[];
  hints: string[];
}

export const CONFIG = 'roofline_config.json';

/** Settings that hold a whole machine are in the file that Export saves. */
export function needsConfig() {
  const { machine, ...rest } = settings.value;
  return typeof machine === 'object' || flat(rest).some(([, value]) => typeof value === 'object');
}

/** `machines`: the options that name machines; the file of settings replaces them. */
export function settingsOptions(machines: string[]): string[] {
  if (needsConfig()) return ['--config', CONFIG];
  const { machine: _, ...rest } = settings.value;
  return [...machines, ...flat(rest).flatMap(([key, value]) => ['--set', `${key}=${value}`])];
}

/** The machine of a command that takes one. */
export function machineOption(): string[] {
  const { machine } = settings.value;
  return typeof machine === 'string' ? ['--machine', machine] : [];
}

/** "whatif.weight" and its value, of all settings; those of a machine stay together. */
const flat = (document: object, prefix = ''): [string, unknown][] =>
  Object.entries(document).flatMap(([key, value]): [string, unknown][] =>
    typeof value === 'object' && value !== null && !('id' in value)
      ? flat(value, `${prefix}${key}.`)
      : [[prefix + key, value]],
  );

/** The filters of a command that reads files. */
export function filterOptions(): CommandParts {
  const { search, statuses, where, noInfeed } = viewState.value;
  const lists = wordFilters();
  const unsupported = [
    statuses && 'status',
    where && 'column',
    !canUseCategoryOption() && 'this choice of types and categories',
    ...lists.filter(({ words }) => hasComma(words)).map(({ what }) => `${what} with a comma in its name`),
  ].filter(Boolean);
  return {
    words: [
      ...(search ? ['--name', search] : []),
      ...lists.flatMap(({ option, words }) => (hasComma(words) ? [] : words.flatMap(word => [option, word]))),
      ...(noInfeed ? ['--exclude-infeed'] : []),
    ],
    hints: [
      ...(search ? ['It searches names only, the page also types.'] : []),
      ...(unsupported.length
        ? [`The command cannot filter by ${unsupported.join(' or ')}: it includes more operations.`]
        : []),
    ],
  };
}

/** The command splits the words of these options at commas. */
const hasComma = (words: string[]) => words.some(word => word.includes(','));

function wordFilters(): { option: string; what: string; words: string[] }[] {
  const { types = [], categories = [], steps = [], bounds = [], limits = [] } = viewState.value;
  return [
    {
      option: '--category',
      what: 'a type or category',
      words: canUseCategoryOption() ? [...types, ...categories] : [],
    },
    { option: '--step', what: 'a step', words: steps },
    { option: '--bound-by', what: 'a bound', words: bounds.filter(isResource) },
    { option: '--limited-by', what: 'a limit', words: limits.filter(isResource) },
  ];
}

/** Another machine may lack the resource: the page then ignores it, and the command would refuse it. */
const isResource = (word: string) =>
  ['none', 'neither'].includes(word) || (panelFrame.value?.json.resources ?? [word]).includes(word);

/** Whether --category, which takes types and categories in one list, selects the page's operations. */
function canUseCategoryOption() {
  const { types, categories } = viewState.value;
  if (!types && !categories) return true;
  const words = [...(types ?? []), ...(categories ?? [])].map(plain);
  if (words.length === 0) return false; // none is shown; the command would show all
  return (opened.value?.kinds ?? []).every(({ type, category }) => {
    const isShown = (types?.includes(type) ?? true) && (categories?.includes(category) ?? true);
    return isShown === [type, category].some(word => words.includes(plain(word)));
  });
}

/** As the command compares names: without case and punctuation. */
const plain = (name: string) => name.toLowerCase().replaceAll(/[^a-z0-9]/g, '');
