import { Program, ProgramLimitError } from '@emu/core/programs';
import { parseJson } from '@emu/wire';
import { type ModelValidator, modelValidator, type NamedSchema } from './models.ts';

/** Maximum milliseconds to validate a body. */
const MAX_TIME = 5000;
/** Maximum characters and objects of the models, and characters of a body, that are validated in this thread. */
const MAX_MODELS = 16_384;
const MAX_OBJECTS = 64;
const MAX_BODY = 65_536;
/** Keywords that may visit a value more than once, or compare it with others. */
const REPEATING = /"(?:allOf|anyOf|oneOf|not|\$ref|uniqueItems|dependencies|patternProperties|pattern|enum)"/;

const validations = new Program(() => import('./model-program.ts'), MAX_TIME);

/** Validates bodies with the models of an API: in this thread if the work is known to be small, or else in a process. */
export class ModelValidation {
  private readonly isSimple: boolean;
  private validator: ModelValidator | undefined;

  constructor(private readonly models: readonly NamedSchema[]) {
    const text = models.map(({ schema }) => schema).join();
    // A keyword can be written with escapes.
    this.isSimple =
      text.length <= MAX_MODELS &&
      text.split('{').length - 1 <= MAX_OBJECTS &&
      !REPEATING.test(text) &&
      !text.includes('\\');
  }

  /**
   * Validates a body.
   * @param name of the model
   * @param owner API that the model belongs to
   * @returns AWS's error message; undefined for a valid body
   */
  problem(name: string, body: string, owner: string): string | undefined | Promise<string | undefined> {
    let value: unknown;
    try {
      value = parseJson(body);
    } catch {
      return '[the body is not valid JSON]';
    }
    if (!this.isSimple || body.length > MAX_BODY) return this.remoteProblem(name, body, owner);
    this.validator ??= modelValidator(this.models);
    return this.validator.problem(name, value);
  }

  private async remoteProblem(name: string, body: string, owner: string): Promise<string | undefined> {
    try {
      return await validations.run({ models: this.models, name, body }, owner);
    } catch (error) {
      if (error instanceof ProgramLimitError) return '[the validation of the body exceeds its limits]';
      throw error;
    }
  }
}
