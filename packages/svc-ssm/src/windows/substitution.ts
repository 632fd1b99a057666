/** Values of pseudo parameters in a task's call. */
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
 * Substitutes pseudo parameters such as `{{RESOURCE_ID}}` in text; unknown ones stay unchanged.
 * @see https://docs.aws.amazon.com/systems-manager/latest/userguide/maintenance-window-tasks-pseudo-parameters.html
 */
export const substitute = (text: string, values: PseudoValues): string =>
  text.replace(/\{\{\s*([A-Z_]+)\s*\}\}/g, (whole, name: string) => values[name as keyof PseudoValues] ?? whole);

/** Substitutes pseudo parameters in lists of values. */
export const substituteAll = (
  parameters: Readonly<Record<string, readonly string[]>>,
  values: PseudoValues,
): Record<string, string[]> =>
  Object.fromEntries(
    Object.entries(parameters).map(([name, texts]) => [name, texts.map((text) => substitute(text, values))]),
  );
