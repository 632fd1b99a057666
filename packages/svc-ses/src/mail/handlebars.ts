import Handlebars from 'handlebars';

/** Parts of a template before or after rendering. */
export interface Parts {
  readonly subject?: string | undefined;
  readonly text?: string | undefined;
  readonly html?: string | undefined;
}

/** A template; without data, only its syntax is checked. */
export interface HandlebarsInput {
  readonly parts: Parts;
  readonly data?: object;
}

/** Rendered parts, or why the template cannot be rendered: with the attribute that the data lacks, if that is the reason. */
export type HandlebarsOutput = { readonly parts: Parts } | { readonly failure: string; readonly attribute?: string };

/** Maximum loop iterations of a rendering. */
const MAX_ROUNDS = 100_000;
/** Maximum characters of a rendered part, above the maximum size of a mail. */
const MAX_CHARACTERS = 40 * 1024 * 1024;

/** Rendering error, with its reason. */
class Failure extends Error {
  /** @param attribute missing in the data; undefined for other errors */
  constructor(
    message: string,
    readonly attribute?: string,
  ) {
    super(message);
  }
}

/** Iterations of the current rendering. */
let rounds = 0;

function countRound(): void {
  if (++rounds > MAX_ROUNDS) throw new Failure('The template has too many iterations.');
}

/** Handlebars with AWS's helpers. Loops and partials are counted. */
const runtime = Handlebars.create();
runtime.unregisterHelper('log');
const each = runtime.helpers.each as Handlebars.HelperDelegate;
runtime.registerHelper('each', function (this: unknown, context: unknown, options: Handlebars.HelperOptions) {
  const counted: Handlebars.TemplateDelegate = (round, state) => {
    countRound();
    return options.fn(round, state);
  };
  return each.call(this, context, { ...options, fn: counted });
});
const machine = runtime.VM as unknown as { invokePartial(...given: unknown[]): unknown };
const { invokePartial } = machine;
runtime.VM = {
  ...machine,
  invokePartial(this: unknown, ...given: unknown[]) {
    countRound();
    return invokePartial.apply(this, given);
  },
} as unknown as typeof runtime.VM;

/** Returns the attribute in an error of Handlebars's strict mode. */
function attributeIn(message: string): string | undefined {
  return /^"(.+?)" not defined in /.exec(message)?.[1] ?? /\(reading '(.+?)'\)$/.exec(message)?.[1];
}

/** Renders one part of a template. @throws Failure */
function render(template: string, data: object): string {
  let text: string;
  rounds = 0;
  try {
    text = runtime.compile(template, { strict: true, noEscape: true })(data);
  } catch (error) {
    if (error instanceof Failure) throw error;
    const attribute = attributeIn(error instanceof Error ? error.message : '');
    throw attribute === undefined
      ? new Failure('The template could not be rendered.')
      : new Failure(`Attribute '${attribute}' is not present in the rendering data.`, attribute);
  }
  if (text.length > MAX_CHARACTERS) throw new Failure('The rendered template is too large.');
  return text;
}

function check(template: string): string {
  try {
    runtime.parse(template);
  } catch {
    throw new Failure('The template is not valid Handlebars.');
  }
  return template;
}

/** Checks or renders all parts of a template. */
export function runHandlebars({ parts, data }: HandlebarsInput): HandlebarsOutput {
  const run = (part: string | undefined) =>
    part === undefined ? undefined : data === undefined ? check(part) : render(part, data);
  try {
    return { parts: { subject: run(parts.subject), text: run(parts.text), html: run(parts.html) } };
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    const { message: failure, attribute } = error;
    return { failure, ...(attribute !== undefined && { attribute }) };
  }
}
