/** A view of the page: fills an element, and runs until the signal is aborted. */
export type View = (main: HTMLElement, path: readonly string[], signal: AbortSignal) => Promise<void> | void;

/** Shows the view again, e.g. after a change. */
export const reload = (): boolean => window.dispatchEvent(new Event('hashchange'));
