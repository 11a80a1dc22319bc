// Replaces the command's options in messages of the core by the page's controls.

const CONTROLS: [option: RegExp, control: string][] = [
  [/--column "([^"]+)=([^"=]+)"/g, '“$1” as $2'],
  [/with --column\b/g, 'under Map columns'],
  [/, with --set bandwidths\S+/g, ''],
  [/with --machine ([a-z][\w-]*)/g, 'with the machine “$1”'],
  [/: --machine \.\/FILE/g, ': open it here'],
  [
    /`roofline frontier [^`]+` draws runs that state a mean time per token/g,
    'plan the language model, then drop the file on Serving, which draws runs with a mean time per token',
  ],
  [
    / \(`roofline llm [^`]+`\) and give its points as a benchmark in JSON \(--measured\)/g,
    ' here; on the command line, `roofline llm MODEL --measured FILE` compares it with its points in JSON',
  ],
  [/`roofline llm MODEL` predicts/g, 'a planned language model predicts'],
  [
    /`roofline llm MODEL --measured( FILE)?` takes/g,
    'on the command line, `roofline llm MODEL --measured FILE` compares a plan with',
  ],
  [/--weights\b/g, 'Weights'],
  [/without --model\b/g, 'without a model'],
  [/--context\b/g, 'Context'],
  [/--tp\b/g, 'Tensor parallel'],
];

/** A message in the page's words. Messages that name a profiler stay: its options are typed elsewhere. */
export const inPageWords = (message: string) =>
  /\b(ncu|nsys|trtexec|msprof|hailortcli)\b/.test(message)
    ? message
    : CONTROLS.reduce((text, [option, control]) => text.replace(option, control), message);

/** Whether a message is about the meaning of columns, which the page asks for in a dialog. */
export const isAboutColumns = (message: string) => message.includes('--column');
