// Plotly's parts carry no types of their own.
declare module 'plotly.js/src/plot_api/plot_api' {
  interface Api {
    react(root: HTMLElement, data: object[], layout: object, config: object): Promise<unknown>;
    purge(root: HTMLElement): void;
  }
  const api: Api;
  export default api;
}
declare module 'plotly.js/src/registry' {
  export function register(modules: object | object[]): void;
}
declare module 'plotly.js/lib/bar';
declare module 'plotly.js/src/components/fx';
declare module 'plotly.js/src/components/legend';
declare module 'plotly.js/src/locale-en';
declare module 'plotly.js/src/locale-en-us';
