/** A request to judge. */
export interface WafV2Request {
  /** `GET` by default. */
  method?: string;
  /** Path, without the query string. */
  uri: string;
  queryString?: string;
  headers?: Record<string, string>;
  body?: string;
  /** `127.0.0.1` by default. */
  clientIp?: string;
  /** Two-letter country code, for geographic rules. */
  country?: string;
}

/** An action that a rule or the web ACL takes. */
export type WafV2Action = 'ALLOW' | 'BLOCK' | 'COUNT' | 'CAPTCHA' | 'CHALLENGE';

/** The verdict on a request. */
export interface WafV2Verdict {
  action: WafV2Action;
  /** The rule that decided; absent where the default action did. */
  terminatingRule?: string;
  /** Every rule that matched, in order of evaluation. */
  matchedRules: { name: string; action: WafV2Action; ruleGroupArn?: string }[];
  /** Labels the rules added. */
  labels: string[];
  /** Status of the answer to a request that is not let through. */
  responseCode?: number;
}

/** Control routes of WAF v2. */
export interface WafV2Routes {
  'POST /_emulator/wafv2/evaluate': {
    body: { webAclArn: string; request: WafV2Request };
    response: WafV2Verdict;
  };
}
