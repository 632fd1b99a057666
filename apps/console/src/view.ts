/** A view of the page: fills an element, and does what it does until the signal is aborted. */
export type View = (main: HTMLElement, path: readonly string[], signal: AbortSignal) => Promise<void> | void;

/** Shows the view again, as after a change. */
export const reload = (): boolean => window.dispatchEvent(new Event('hashchange'));
