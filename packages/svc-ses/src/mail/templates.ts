import type { DeepReadonly } from '@emu/core/service';
import { isObject } from '@emu/wire';
import type Handlebars from 'handlebars';
import { type Api, invalidRendering, invalidTemplate, missingAttribute } from '../errors.ts';

/** Rendered parts of a template. */
export interface Rendered {
  subject: string;
  text?: string;
  html?: string;
}

/** A template before rendering. */
export type TemplateParts = DeepReadonly<{ subject?: string; text?: string; html?: string }>;

/** Maximum loop iterations of a rendering, since nested loops over 256 KB of data could run indefinitely. */
const MAX_ROUNDS = 100_000;
/** Maximum characters of a rendered part, above the maximum size of a mail. */
const MAX_CHARACTERS = 40 * 1024 * 1024;
const UNSUBSCRIBE = 'amazonSESUnsubscribeUrl';

/** Rendering error, with its reason. */
export class RenderingFailure extends Error {
  /** @param attribute missing in the data; undefined for other errors */
  constructor(
    message: string,
    readonly attribute?: string,
  ) {
    super(message);
  }
}

type Runtime = typeof Handlebars;

let loading: Promise<Runtime> | undefined;
/** Iterations of the current rendering; renderings do not overlap. */
let rounds = 0;

function countRound(): void {
  if (++rounds > MAX_ROUNDS) throw new RenderingFailure('The template has too many iterations.');
}

/** Loads Handlebars with AWS's helpers on first use. Loops and partials are counted. */
async function load(): Promise<Runtime> {
  loading ??= import('handlebars').then(({ default: handlebars }) => {
    const own = handlebars.create();
    own.unregisterHelper('log');
    const each = own.helpers.each as Handlebars.HelperDelegate;
    own.registerHelper('each', function (this: unknown, context: unknown, options: Handlebars.HelperOptions) {
      const counted: Handlebars.TemplateDelegate = (round, runtime) => {
        countRound();
        return options.fn(round, runtime);
      };
      return each.call(this, context, { ...options, fn: counted });
    });
    const machine = own.VM as unknown as { invokePartial(...given: unknown[]): unknown };
    const { invokePartial } = machine;
    own.VM = {
      ...machine,
      invokePartial(this: unknown, ...given: unknown[]) {
        countRound();
        return invokePartial.apply(this, given);
      },
    } as unknown as typeof own.VM;
    return own;
  });
  return loading;
}

/** Returns the attribute in an error of Handlebars's strict mode. */
function attributeIn(message: string): string | undefined {
  return /^"(.+?)" not defined in /.exec(message)?.[1] ?? /\(reading '(.+?)'\)$/.exec(message)?.[1];
}

/**
 * Renders one part of a template.
 * @throws RenderingFailure
 */
function render(runtime: Runtime, template: string, data: object): string {
  let text: string;
  rounds = 0;
  try {
    text = runtime.compile(template, { strict: true, noEscape: true })(data);
  } catch (error) {
    if (error instanceof RenderingFailure) throw error;
    const message = error instanceof Error ? error.message : '';
    const attribute = attributeIn(message);
    throw attribute === undefined
      ? new RenderingFailure('The template could not be rendered.')
      : new RenderingFailure(`Attribute '${attribute}' is not present in the rendering data.`, attribute);
  }
  if (text.length > MAX_CHARACTERS) throw new RenderingFailure('The rendered template is too large.');
  return text;
}

/**
 * Checks the Handlebars syntax of all parts of a template.
 * @throws AwsError `InvalidTemplate`, in version 2 `BadRequestException`
 */
export async function checkTemplate(parts: TemplateParts, api: Api): Promise<void> {
  const { text, html, subject } = parts;
  if (text === undefined && html === undefined && subject === undefined)
    throw invalidTemplate(api, 'The template has neither a subject nor a text or HTML part.');
  const runtime = await load();
  for (const part of [subject, text, html]) {
    if (part === undefined) continue;
    try {
      runtime.parse(part);
    } catch {
      throw invalidTemplate(api, 'The template is not valid Handlebars.');
    }
  }
}

/**
 * Parses the data of a template.
 * @throws AwsError unless it is an object
 */
export function readData(json: string, api: Api): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(json === '' ? '{}' : json);
    if (isObject(value)) return value;
  } catch {
    // The error is thrown below.
  }
  throw invalidRendering(api, 'Template data is not a valid JSON object.');
}

/**
 * Renders a template.
 * @throws RenderingFailure
 * @see https://docs.aws.amazon.com/ses/latest/dg/send-personalized-email-advanced.html
 */
export async function renderTemplate(
  { subject = '', text, html }: TemplateParts,
  data: Record<string, unknown>,
): Promise<Rendered> {
  const runtime = await load();
  // The link is inserted later, when the recipient is known.
  const all = { [UNSUBSCRIBE]: `{{${UNSUBSCRIBE}}}`, ...data };
  return {
    subject: render(runtime, subject, all).replace(/[\r\n]+/g, ' '),
    ...(text !== undefined && { text: render(runtime, text, all) }),
    ...(html !== undefined && { html: render(runtime, html, all) }),
  };
}

/**
 * Same as `renderTemplate`, for requests that report errors.
 * @throws AwsError of the API
 */
export async function renderOrRefuse(parts: TemplateParts, json: string, api: Api): Promise<Rendered> {
  const data = readData(json, api);
  try {
    return await renderTemplate(parts, data);
  } catch (error) {
    if (!(error instanceof RenderingFailure)) throw error;
    throw error.attribute === undefined ? invalidRendering(api, error.message) : missingAttribute(api, error.attribute);
  }
}
