/** A request to evaluate. */
export interface WafV2Request {
  /** `GET` by default. */
  method?: string;
  /** Path without query string. */
  uri: string;
  queryString?: string;
  headers?: Record<string, string>;
  body?: string;
  /** `127.0.0.1` by default. */
  clientIp?: string;
  /** Two-letter country code, for geographic rules. */
  country?: string;
}

/** An action of a rule or web ACL. */
export type WafV2Action = 'ALLOW' | 'BLOCK' | 'COUNT' | 'CAPTCHA' | 'CHALLENGE';

/** Result for a request. */
export interface WafV2Verdict {
  action: WafV2Action;
  /** Rule that determined the action; absent for the default action. */
  terminatingRule?: string;
  /** All matching rules, in order of evaluation. */
  matchedRules: { name: string; action: WafV2Action; ruleGroupArn?: string }[];
  /** Labels added by rules. */
  labels: string[];
  /** Response status of a blocked request. */
  responseCode?: number;
}
