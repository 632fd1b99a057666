import type { StackStore } from '../stacks/store.ts';
import { Evaluator } from '../templates/evaluate.ts';
import { referencesOf } from '../templates/references.ts';
import type { JsonObject } from '../templates/values.ts';

/** Mask for the value of a NoEcho parameter. */
export const HIDDEN_PARAMETER = '****';
/** Mask for a NoEcho attribute of a custom resource. */
export const HIDDEN_ATTRIBUTE = '*****';

/** The parts of a deployment that determine its NoEcho parameters. */
interface Deployed {
  readonly parameters: readonly { readonly key: string; readonly noEcho?: true | undefined }[];
}

/** Returns the names of the NoEcho parameters of a deployment. */
const hiddenParameters = ({ parameters }: Deployed): Set<string> =>
  new Set(parameters.filter(({ noEcho }) => noEcho).map(({ key }) => key));

/** Whether a value uses an attribute of a custom resource with NoEcho. */
export const usesHiddenAttribute = (store: StackStore, stack: string, value: unknown): boolean =>
  [...referencesOf(value).attributes.keys()].some((owner) => store.resource(stack, owner)?.current?.noEcho);

/**
 * Masks NoEcho values in a value of a template, as events show it.
 * @returns undefined if nothing is masked
 */
export function shownValue(
  store: StackStore,
  stack: string,
  evaluator: Evaluator,
  target: Deployed,
  value: unknown,
): unknown {
  const names = hiddenParameters(target);
  const ofParameter = [...referencesOf(value).refs].some((ref) => names.has(ref));
  if (!ofParameter && !usesHiddenAttribute(store, stack, value)) return undefined;
  const { scope, template } = evaluator;
  const parameters = Object.fromEntries([...names].map((name) => [name, HIDDEN_PARAMETER]));
  const masked = new Evaluator(
    template,
    {
      ...scope,
      parameters: { ...scope.parameters, ...parameters },
      attribute: (owner, name) =>
        store.resource(stack, owner)?.current?.noEcho ? HIDDEN_ATTRIBUTE : scope.attribute(owner, name),
    },
    evaluator,
  );
  return masked.evaluate(value);
}

/**
 * Returns the properties as change sets show them.
 * @param written properties with unevaluated functions
 */
export function withoutHidden(properties: JsonObject, written: JsonObject, target: Deployed): JsonObject {
  const names = hiddenParameters(target);
  if (names.size === 0) return properties;
  const hides = (name: string) => [...referencesOf(written[name]).refs].some((ref) => names.has(ref));
  return Object.fromEntries(
    Object.entries(properties).map(([name, value]) => [name, hides(name) ? HIDDEN_PARAMETER : value]),
  );
}
