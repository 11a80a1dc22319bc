// Plotly's parts carry no types of their own.
declare module 'plotly.js/lib/core' {
  interface Plot {
    register(modules: object[]): void;
    react(root: HTMLElement, data: object[], layout: object, config: object): Promise<unknown>;
    purge(root: HTMLElement): void;
  }
  const plotly: Plot;
  export default plotly;
}
declare module 'plotly.js/lib/bar' {
  const bar: object;
  export default bar;
}
