// web/build.mjs makes this module: the packed first picture (picture.ts).
declare module 'first-picture' {
  const text: string;
  export default text;
}
