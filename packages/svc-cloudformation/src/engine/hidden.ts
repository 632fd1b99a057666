import type { StackStore } from '../stacks/store.ts';
import { Evaluator } from '../templates/evaluate.ts';
import { referencesOf } from '../templates/references.ts';
import type { JsonObject } from '../templates/values.ts';

/** What stands for the value of a parameter that is not to be told. */
export const HIDDEN_PARAMETER = '****';
/** What stands for an attribute of a custom resource that is not to be told. */
export const HIDDEN_ATTRIBUTE = '*****';

/** A deployment, as far as it says which parameters are not to be told. */
interface Deployed {
  readonly parameters: readonly { readonly key: string; readonly noEcho?: true | undefined }[];
}

/** Names of the parameters of a deployment that are not to be told. */
const hiddenParameters = ({ parameters }: Deployed): Set<string> =>
  new Set(parameters.filter(({ noEcho }) => noEcho).map(({ key }) => key));

/** Whether a value takes an attribute of a custom resource whose answer is not to be told. */
export const takesHidden = (store: StackStore, stack: string, value: unknown): boolean =>
  [...referencesOf(value).attributes.keys()].some((owner) => store.resource(stack, owner)?.current?.noEcho);

/**
 * A value of a template as events tell it: with asterisks for what is not to be told.
 * @returns undefined where nothing is hidden
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
  if (!ofParameter && !takesHidden(store, stack, value)) return undefined;
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

/** Properties as change sets tell them. @param written as the template writes them */
export function withoutHidden(properties: JsonObject, written: JsonObject, target: Deployed): JsonObject {
  const names = hiddenParameters(target);
  if (names.size === 0) return properties;
  const hides = (name: string) => [...referencesOf(written[name]).refs].some((ref) => names.has(ref));
  return Object.fromEntries(
    Object.entries(properties).map(([name, value]) => [name, hides(name) ? HIDDEN_PARAMETER : value]),
  );
}
