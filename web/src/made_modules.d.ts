// Modules that web/build.mjs makes.

/** The packed first picture (worker/first_picture.ts). */
declare module 'first-picture' {
  const text: string;
  export default text;
}

/** Gives the views that are loaded later the values that they share with the page (web/late_views.mjs). */
declare module 'shared-with-views';
