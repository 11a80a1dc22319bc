// web/build.mjs makes this module: the packed first picture (worker/first_picture.ts).
declare module 'first-picture' {
  const text: string;
  export default text;
}
