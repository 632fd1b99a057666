/** A user or role; its account is the first group. */
export const ENTITY: RegExp = /^arn:[^:]+:iam::(\d{12}):(?:user|role)\/[!-)+->@-~]+$/;

const AWS_PRINCIPAL =
  /^(?:\*|\d{12}|(?:AIDA|AROA)[A-Z0-9]{12,}|arn:[^:]+:iam::\d{12}:root|arn:[^:]+:sts::\d{12}:(?:assumed-role\/[\w+=,.@-]+\/[\w+=,.@-]+|federated-user\/[\w+=,.@-]+|self))$/;
const SERVICE = /^[a-z0-9][a-z0-9.-]*\.(?:amazonaws\.com(?:\.cn)?|amazon\.com|amazonaws\.eu|aws\.internal)$/;
const PROVIDER =
  /^(?:cognito-identity\.amazonaws\.com|accounts\.google\.com|graph\.facebook\.com|www\.amazon\.com|arn:[^:]+:iam::\d{12}:(?:saml-provider|oidc-provider)\/.+)$/;

/**
 * Whether a name can be a principal of type `AWS`: `*`, an account, a user, a role, or a session. Partial wildcards are
 * invalid.
 * @see https://docs.aws.amazon.com/IAM/latest/UserGuide/reference_policies_elements_principal.html
 */
export const isAwsPrincipal = (name: string): boolean => AWS_PRINCIPAL.test(name) || ENTITY.test(name);

/** Whether a name can be a service principal, e.g. `sns.amazonaws.com`. */
export const isServicePrincipal = (name: string): boolean => SERVICE.test(name);

/** Whether a name can be an identity provider: one of AWS's well-known ones, or an ARN. */
const isFederatedPrincipal = (name: string): boolean => PROVIDER.test(name);

/** The types of principals in the policies of most resources. */
export const PRINCIPALS: Readonly<Record<string, (name: string) => boolean>> = {
  AWS: isAwsPrincipal,
  Service: isServicePrincipal,
  Federated: isFederatedPrincipal,
};
