type Child = Node | string | number | undefined | null | false;
type Props<Tag extends keyof HTMLElementTagNameMap> = Partial<
  Omit<HTMLElementTagNameMap[Tag], 'style' | 'children' | 'list' | 'form'>
> & { attributes?: Readonly<Record<string, string>> };

/**
 * Creates an element. Text becomes text nodes; nothing is parsed as HTML.
 * @param props properties of the element; `attributes` are set as such
 */
export function h<Tag extends keyof HTMLElementTagNameMap>(
  tag: Tag,
  props: Props<Tag> = {},
  ...children: (Child | Child[])[]
): HTMLElementTagNameMap[Tag] {
  const { attributes, ...properties }: Props<Tag> = props;
  const element = Object.assign(document.createElement(tag), properties);
  for (const [name, value] of Object.entries<string>(attributes ?? {})) element.setAttribute(name, value);
  element.append(...nodesOf(children.flat()));
  return element;
}

const nodesOf = (children: readonly Child[]): (Node | string)[] =>
  children.filter((child) => child !== undefined && child !== null && child !== false).map(asNode);
const asNode = (child: Child): Node | string => (child instanceof Node ? child : String(child));

/** Replaces the children of an element. */
export function fill(element: Element, ...children: (Child | Child[])[]): void {
  element.replaceChildren(...nodesOf(children.flat()));
}

/** Creates a button that shows errors and is disabled while its action runs. */
export function button(
  label: string,
  act: () => unknown,
  kind: '' | 'primary' | 'danger' | 'link' = '',
): HTMLButtonElement {
  const element = h('button', { type: 'button', className: kind }, label);
  element.onclick = async () => {
    element.disabled = true;
    await attempt(act);
    element.disabled = false;
  };
  return element;
}

/** A link to a view of the page. */
export const link = (label: string, ...path: string[]): HTMLAnchorElement => h('a', { href: hrefOf(...path) }, label);

/** Returns the URL of a view of the page. */
export const hrefOf = (...path: string[]): string => `#/${path.map(encodeURIComponent).join('/')}`;

/** Creates a labelled field. */
export function field<Control extends HTMLElement>(label: string, control: Control): HTMLLabelElement {
  return h('label', { className: 'field' }, h('span', {}, label), control);
}

/** Fields that are submitted together, also by Enter. */
export function form(act: () => unknown, submit: string, ...children: Node[]): HTMLFormElement {
  const press = h('button', { type: 'submit', className: 'primary' }, submit);
  const element = h('form', { className: 'card form' }, ...children, h('div', { className: 'actions' }, press));
  element.onsubmit = async (event) => {
    event.preventDefault();
    press.disabled = true;
    await attempt(act);
    press.disabled = false;
  };
  return element;
}

/** A select element. */
export const select = (choices: readonly string[], chosen?: string): HTMLSelectElement =>
  h('select', {}, ...choices.map((choice) => h('option', { value: choice, selected: choice === chosen }, choice)));

/** Creates a table, or a placeholder without rows. */
export function table(headings: readonly string[], rows: readonly Child[][], empty: string): HTMLElement {
  if (!rows.length) return h('p', { className: 'empty' }, empty);
  const head = h('tr', {}, ...headings.map((text) => h('th', { scope: 'col' }, text)));
  const body = rows.map((row) => h('tr', {}, ...row.map((cell) => h('td', {}, cell))));
  return h('div', { className: 'table card' }, h('table', {}, h('thead', {}, head), h('tbody', {}, ...body)));
}

/** Creates the header of a view with its actions. */
export function heading(title: string, ...actions: Node[]): HTMLElement {
  return h('div', { className: 'heading' }, h('h1', {}, title), h('div', { className: 'actions' }, ...actions));
}

/** Downloads bytes as a file. */
export function save(content: Blob, name: string): void {
  const url = URL.createObjectURL(content);
  h('a', { href: url, download: name }).click();
  setTimeout(() => URL.revokeObjectURL(url), 10_000);
}

/** Preformatted text. */
export const code = (text: string): HTMLPreElement => h('pre', { className: 'card', tabIndex: 0 }, text);

/** A value as indented JSON. */
export const json = (value: unknown): HTMLPreElement => code(JSON.stringify(value, undefined, 2) ?? '');

/** Shows a confirmation or an error. */
export function tell(text: string, isError = false): void {
  const note = h('div', { className: isError ? 'note error' : 'note' }, h('span', {}, text));
  note.setAttribute('role', isError ? 'alert' : 'status');
  const close = h('button', { type: 'button', className: 'link', ariaLabel: 'Dismiss' }, '×');
  close.onclick = () => note.remove();
  note.append(close);
  const notes = document.getElementById('notes');
  notes?.append(note);
  while (notes && notes.childElementCount > 3) notes.firstElementChild?.remove();
  if (!isError) setTimeout(() => note.remove(), 4000);
}

/** Runs an action and shows its error. */
export async function attempt(act: () => unknown): Promise<void> {
  try {
    await act();
  } catch (error) {
    if (!(error instanceof DOMException && error.name === 'AbortError'))
      tell(error instanceof Error ? error.message : String(error), true);
  }
}
