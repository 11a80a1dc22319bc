// Modules that web/build.mjs makes.

/** The packed first picture (worker/first_picture.ts). */
declare module 'first-picture' {
  const text: string;
  export default text;
}

/** SQNR of Gaussian numbers by format, dB; null: exact. Formats without a rounding rule are absent. */
declare module 'gaussian-accuracies' {
  const sqnrDb: Record<string, number | null>;
  export default sqnrDb;
}

/** Gives the views that are loaded later the values that they share with the page (web/late_views.mjs). */
declare module 'shared-with-views';
