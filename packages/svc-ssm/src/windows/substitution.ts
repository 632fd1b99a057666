/** What pseudo parameters stand for in a call of a task. */
export interface PseudoValues {
  readonly WINDOW_ID: string;
  readonly WINDOW_TASK_ID: string;
  readonly WINDOW_EXECUTION_ID: string;
  readonly TASK_EXECUTION_ID: string;
  readonly INVOCATION_ID: string;
  readonly WINDOW_TARGET_ID?: string | undefined;
  readonly TARGET_ID?: string | undefined;
  readonly RESOURCE_ID?: string | undefined;
  readonly TARGET_TYPE?: string | undefined;
}

/**
 * A text with the values of its pseudo parameters, as `{{RESOURCE_ID}}`; others stay as they are.
 * @see https://docs.aws.amazon.com/systems-manager/latest/userguide/maintenance-window-tasks-pseudo-parameters.html
 */
export const substitute = (text: string, values: PseudoValues): string =>
  text.replace(/\{\{\s*([A-Z_]+)\s*\}\}/g, (whole, name: string) => values[name as keyof PseudoValues] ?? whole);

/** Lists of values with theirs. */
export const substituteAll = (
  parameters: Readonly<Record<string, readonly string[]>>,
  values: PseudoValues,
): Record<string, string[]> =>
  Object.fromEntries(
    Object.entries(parameters).map(([name, texts]) => [name, texts.map((text) => substitute(text, values))]),
  );
