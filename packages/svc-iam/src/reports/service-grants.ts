import { readPolicy, statementsOf, textsOf } from '@emu/core/service';
import { SERVICE_NAMES } from '../policies/service-names.ts';

/** Services in a statement. Actions in policies contain their service without wildcards, or match all services. */
interface ServiceStatement {
  readonly allows: boolean;
  /** Whether it uses NotAction. */
  readonly inverted: boolean;
  /** Namespaces with any named action, and with all actions, in lower case; `*` for all. */
  readonly some: ReadonlySet<string>;
  readonly all: ReadonlySet<string>;
  /** Whether it applies to all resources without conditions. */
  readonly always: boolean;
}

/** Services in a policy. */
export type ServicePolicy = readonly ServiceStatement[];

const namespacesOf = (actions: readonly string[]): Set<string> =>
  new Set(actions.map((action) => action.split(':', 1)[0]!.toLowerCase()));

/**
 * Parses the statements of a policy for repeated service queries.
 * @param document a valid policy
 */
export function servicesOf(document: string): ServicePolicy {
  return statementsOf(readPolicy(document)).map((one) => {
    const { Effect, Action, NotAction, Resource, Condition } = one;
    const actions = textsOf(Action ?? NotAction);
    return {
      allows: Effect === 'Allow',
      inverted: Action === undefined,
      some: namespacesOf(actions),
      all: namespacesOf(actions.filter((action) => /(^|:)\*+$/.test(action))),
      always: Condition === undefined && textsOf(Resource).includes('*'),
    };
  });
}

const has = (namespaces: ReadonlySet<string>, namespace: string): boolean =>
  namespaces.has('*') || namespaces.has(namespace);

/**
 * Whether a policy allows any action of a service, under any conditions.
 * @param namespace in lower case
 */
export const grants = (policy: ServicePolicy, namespace: string): boolean =>
  policy.some(({ allows, inverted, some, all }) => allows && (inverted ? !has(all, namespace) : has(some, namespace)));

/** Whether a policy unconditionally denies all actions of a service. */
const denies = (policy: ServicePolicy, namespace: string): boolean =>
  policy.some(({ allows, inverted, all, always }) => !allows && !inverted && always && has(all, namespace));

/**
 * Returns the sorted namespaces of the services that policies together allow.
 * @see https://docs.aws.amazon.com/IAM/latest/UserGuide/access_policies_access-advisor.html
 */
export function namespacesAllowed(documents: readonly string[]): string[] {
  const policies = documents.map(servicesOf);
  return [...SERVICE_NAMES.keys()].filter(
    (namespace) =>
      policies.some((policy) => grants(policy, namespace)) && !policies.some((policy) => denies(policy, namespace)),
  );
}
