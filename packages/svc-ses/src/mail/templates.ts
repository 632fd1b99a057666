import { Program, ProgramLimitError } from '@emu/core/programs';
import type { DeepReadonly } from '@emu/core/service';
import { isObject, parseJson } from '@emu/wire';
import { type Api, invalidRendering, invalidTemplate, missingAttribute } from '../errors.ts';
import type { HandlebarsInput, HandlebarsOutput } from './handlebars.ts';

/** Rendered parts of a template. */
export interface Rendered {
  subject: string;
  text?: string;
  html?: string;
}

/** A template before rendering. */
export type TemplateParts = DeepReadonly<{ subject?: string; text?: string; html?: string }>;

/** Maximum milliseconds for the parts of a template. */
const MAX_TIME = 5000;
const UNSUBSCRIBE = 'amazonSESUnsubscribeUrl';

const handlebars = new Program(() => import('./handlebars-program.ts'), MAX_TIME);

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

/** Runs Handlebars, for an account. */
async function run(input: HandlebarsInput, owner: string): Promise<HandlebarsOutput> {
  try {
    return await handlebars.run(input, owner);
  } catch (error) {
    if (!(error instanceof ProgramLimitError)) throw error;
    return { failure: error.limit === 'time' ? 'The template takes too long.' : 'The template needs too much memory.' };
  }
}

/**
 * Checks the Handlebars syntax of all parts of a template.
 * @param owner account that the template belongs to
 * @throws AwsError `InvalidTemplate`, in version 2 `BadRequestException`
 */
export async function checkTemplate(parts: TemplateParts, api: Api, owner: string): Promise<void> {
  const { text, html, subject } = parts;
  if (text === undefined && html === undefined && subject === undefined)
    throw invalidTemplate(api, 'The template has neither a subject nor a text or HTML part.');
  const output = await run({ parts }, owner);
  if ('failure' in output) throw invalidTemplate(api, output.failure);
}

/**
 * Parses the data of a template.
 * @throws AwsError unless it is an object
 */
export function readData(json: string, api: Api): Record<string, unknown> {
  try {
    const value: unknown = parseJson(json === '' ? '{}' : json);
    if (isObject(value)) return value;
  } catch {
    // The error is thrown below.
  }
  throw invalidRendering(api, 'Template data is not a valid JSON object.');
}

/**
 * Renders a template.
 * @param owner account that sends the mail
 * @throws RenderingFailure
 * @see https://docs.aws.amazon.com/ses/latest/dg/send-personalized-email-advanced.html
 */
export async function renderTemplate(
  { subject = '', text, html }: TemplateParts,
  data: Record<string, unknown>,
  owner: string,
): Promise<Rendered> {
  // The link is inserted later, when the recipient is known.
  const all = { [UNSUBSCRIBE]: `{{${UNSUBSCRIBE}}}`, ...data };
  const output = await run({ parts: { subject, text, html }, data: all }, owner);
  if ('failure' in output) throw new RenderingFailure(output.failure, output.attribute);
  const { parts } = output;
  return {
    subject: (parts.subject ?? '').replace(/[\r\n]+/g, ' '),
    ...(parts.text !== undefined && { text: parts.text }),
    ...(parts.html !== undefined && { html: parts.html }),
  };
}

/**
 * Same as `renderTemplate`, for requests that report errors.
 * @throws AwsError of the API
 */
export async function renderOrRefuse(parts: TemplateParts, json: string, api: Api, owner: string): Promise<Rendered> {
  const data = readData(json, api);
  try {
    return await renderTemplate(parts, data, owner);
  } catch (error) {
    if (!(error instanceof RenderingFailure)) throw error;
    throw error.attribute === undefined ? invalidRendering(api, error.message) : missingAttribute(api, error.attribute);
  }
}
