import { textsOf } from './json.ts';
import type { PolicyPrincipal } from './types.ts';

/**
 * How a `Principal` element matches a principal: not at all; by its account, whose own policies must allow too; by its
 * role, or the user behind it; or itself.
 */
export type Naming = 'none' | 'account' | 'role' | 'direct';

const RANK: Readonly<Record<Naming, number>> = { none: 0, account: 1, role: 2, direct: 3 };

/** Returns the account of an account id or a root user's ARN. */
function accountOf(entry: string): string | undefined {
  if (/^\d{12}$/.test(entry)) return entry;
  return /^arn:[^:]+:iam::(\d{12}):root$/.exec(entry)?.[1];
}

/**
 * A compiled `Principal` or `NotPrincipal` element.
 * @see https://docs.aws.amazon.com/IAM/latest/UserGuide/reference_policies_elements_principal.html
 */
export class Principals {
  private readonly everybody: boolean;
  private readonly names = new Set<string>();
  private readonly accounts = new Set<string>();
  private readonly services = new Set<string>();
  private readonly providers = new Set<string>();

  constructor(element: unknown) {
    const types = typeof element === 'object' && element !== null ? Object.entries(element) : [];
    this.everybody = element === '*';
    for (const [type, value] of types)
      for (const entry of textsOf(value))
        if (type === 'AWS' && entry === '*') this.everybody = true;
        else if (type === 'AWS') this.addAccountOrName(entry);
        else if (type === 'Service') this.services.add(entry.toLowerCase());
        else if (type === 'Federated') this.providers.add(entry);
  }

  /** Returns how the element matches a principal; the most specific match counts. */
  naming(principal: PolicyPrincipal): Naming {
    const { type, arn, accountId, entityArn, userId = '', service, provider } = principal;
    if (type === 'service')
      return this.everybody || this.services.has(service?.toLowerCase() ?? '') ? 'direct' : 'none';
    if (type === 'federated') return this.everybody || this.providers.has(provider ?? '') ? 'direct' : 'none';
    if (type === 'anonymous') return this.everybody ? 'direct' : 'none';
    if (this.names.has(arn) || this.names.has(userId)) return 'direct';
    if (this.accounts.has(accountId)) {
      if (type === 'root') return 'direct';
      if (!this.everybody && !this.namesEntity(entityArn, userId)) return 'account';
    }
    if (this.namesEntity(entityArn, userId)) return 'role';
    // A wildcard matches the role and not its session, which boundaries and session policies still limit.
    if (this.everybody) return entityArn === undefined ? 'direct' : 'role';
    return 'none';
  }

  private namesEntity(entityArn: string | undefined, userId: string): boolean {
    if (entityArn === undefined) return false;
    const colon = userId.indexOf(':');
    return this.names.has(entityArn) || (colon > 0 && this.names.has(userId.slice(0, colon)));
  }

  private addAccountOrName(entry: string): void {
    const account = accountOf(entry);
    if (account === undefined) this.names.add(entry);
    else this.accounts.add(account);
  }
}

/** Returns the more specific of two matches. */
export const mostSpecific = (one: Naming, other: Naming): Naming => (RANK[one] >= RANK[other] ? one : other);
