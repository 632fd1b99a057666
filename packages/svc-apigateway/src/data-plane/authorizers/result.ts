/** What an authorizer said of an identity. */
export interface AuthorizerResult {
  readonly principalId: string;
  /** JSON text of the policy. */
  readonly policy: string;
  /** Values as texts, as events and templates have them. */
  readonly context: Readonly<Record<string, string>>;
  readonly usageIdentifierKey: string | undefined;
}
