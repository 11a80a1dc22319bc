// Modules that web/build.mjs makes.

/** The packed first picture (worker/first_picture.ts). */
declare module 'first-picture' {
  const text: string;
  export default text;
}

/** SQNR of the numbers of each distribution by format, dB; null: exact. Formats without a rounding rule are absent. */
declare module 'format-accuracies' {
  const sqnrDb: Record<import('./protocol').SampleName, Record<string, number | null>>;
  export default sqnrDb;
}

/** Gives the views that are loaded later the values that they share with the page (web/late_views.mjs). */
declare module 'shared-with-views';
