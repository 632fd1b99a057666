import { WorkBudget } from '@emu/core/service';
import { jsonOrText, parseJson } from '@emu/wire';
import { findByPath } from '../json-path.ts';
import { TemplateError } from './parse.ts';
import { javaText, TemplateObject } from './values.ts';

/** Request parameters by location. */
export interface TemplateParameters {
  readonly path: Readonly<Record<string, string>>;
  readonly querystring: Readonly<Record<string, string>>;
  readonly header: Readonly<Record<string, string>>;
}

/** Limit of the steps of all JSONPaths of one rendering; each path has its own, lower one. */
const MAX_PATH_STEPS = 600_000;

/** `$input`: body and parameters of the mapped request or response. */
export class InputVariable extends TemplateObject {
  private parsed: { value: unknown } | undefined;
  private readonly budget = new WorkBudget({ steps: MAX_PATH_STEPS });

  /**
   * @param body as text
   * @param parameters of the method's request
   */
  constructor(
    private readonly body: string,
    private readonly parameters: TemplateParameters,
  ) {
    super();
  }

  override property(name: string): unknown {
    // Templates see an empty body as an empty document.
    return name === 'body' ? this.body || '{}' : undefined;
  }

  override method(name: string, args: readonly unknown[]): unknown {
    switch (name) {
      case 'path':
        return this.find(javaText(args[0])) ?? null;
      case 'json': {
        const path = javaText(args[0]);
        const found = this.body === '' && path === '$' ? {} : this.find(path);
        return found === undefined ? '""' : JSON.stringify(found);
      }
      case 'params':
        return args.length === 0 ? structuredClone(this.parameters) : this.parameter(javaText(args[0]));
      default:
        return null;
    }
  }

  private find(path: string): unknown {
    this.parsed ??= { value: this.body === '' ? undefined : jsonOrText(this.body) };
    return findByPath(this.parsed.value, path, this.budget);
  }

  private parameter(name: string): string {
    const { path, querystring, header } = this.parameters;
    for (const values of [path, querystring, header]) if (Object.hasOwn(values, name)) return values[name]!;
    const lower = name.toLowerCase();
    for (const [key, value] of Object.entries(header)) if (key.toLowerCase() === lower) return value;
    return '';
  }
}

const ESCAPES: Readonly<Record<string, string>> = {
  '"': '\\"',
  "'": "\\'",
  '/': '\\/',
  '\\': '\\\\',
  '\b': '\\b',
  '\f': '\\f',
  '\n': '\\n',
  '\r': '\\r',
  '\t': '\\t',
};

/** Escapes text for a JavaScript literal. */
const escapeJavaScript = (text: string): string =>
  text.replace(
    /["'/\\]|[^\x20-\x7e]/g,
    (one) => ESCAPES[one] ?? `\\u${one.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0')}`,
  );

/** `$util`. */
class UtilVariable extends TemplateObject {
  override method(name: string, [given]: readonly unknown[]): unknown {
    const text = javaText(given);
    switch (name) {
      case 'escapeJavaScript':
        return escapeJavaScript(text);
      case 'parseJson':
        try {
          return parseJson(text) as unknown;
        } catch {
          throw new TemplateError('The text to parse is not valid JSON.');
        }
      case 'urlEncode':
        return new URLSearchParams([['', text]]).toString().slice(1);
      case 'urlDecode':
        return new URLSearchParams(`a=${text.replaceAll('&', '%26')}`).get('a');
      case 'base64Encode':
        return Buffer.from(text).toString('base64');
      case 'base64Decode':
        return Buffer.from(text, 'base64').toString();
      default:
        return null;
    }
  }
}

/** `$util`, which is stateless. */
export const UTIL: TemplateObject = new UtilVariable();
