import { readPolicy, statementsOf, textsOf } from '@emu/core/service';
import { SERVICE_NAMES } from './service-names.ts';

/** What a statement says of services. Actions of policies name their service without wildcards, or all services. */
interface ServiceStatement {
  readonly allows: boolean;
  /** Whether it is about all actions but these. */
  readonly inverted: boolean;
  /** Namespaces of which any action is named, and of which every action is, in lower case; `*` for all. */
  readonly some: ReadonlySet<string>;
  readonly all: ReadonlySet<string>;
  /** Whether it holds for every resource and under no conditions. */
  readonly always: boolean;
}

/** Which services a policy is about. */
export type ServicePolicy = readonly ServiceStatement[];

const namespacesOf = (actions: readonly string[]): Set<string> =>
  new Set(actions.map((action) => action.split(':', 1)[0]!.toLowerCase()));

/** Takes the statements of a policy apart, for questions about many services. @param document a valid policy */
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

/** Whether a policy allows anything of a service, under whatever conditions. @param namespace in lower case */
export const grants = (policy: ServicePolicy, namespace: string): boolean =>
  policy.some(({ allows, inverted, some, all }) => allows && (inverted ? !has(all, namespace) : has(some, namespace)));

/** Whether a policy denies all of a service, always. */
const denies = (policy: ServicePolicy, namespace: string): boolean =>
  policy.some(({ allows, inverted, all, always }) => !allows && !inverted && always && has(all, namespace));

/**
 * Namespaces of the services that policies together allow something of, sorted.
 * @see https://docs.aws.amazon.com/IAM/latest/UserGuide/access_policies_access-advisor.html
 */
export function namespacesAllowed(documents: readonly string[]): string[] {
  const policies = documents.map(servicesOf);
  return [...SERVICE_NAMES.keys()].filter(
    (namespace) =>
      policies.some((policy) => grants(policy, namespace)) && !policies.some((policy) => denies(policy, namespace)),
  );
}
