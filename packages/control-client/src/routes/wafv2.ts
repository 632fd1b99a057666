import type { WafV2Request, WafV2Verdict } from '../records/wafv2.ts';
import { json, type MethodsOf, type RoutesOf } from '../table.ts';

/** Control routes of WAF v2. */
export const wafv2 = {
  /**
   * Evaluates a request by the rules of a web ACL. `POST /_emulator/wafv2/evaluate`
   * @throws ApiError 404 for an unknown web ACL
   */
  evaluate: json<WafV2Verdict>()('POST /_emulator/wafv2/evaluate', (webAclArn: string, request: WafV2Request) => ({
    body: { webAclArn, request },
  })),
};

/** Methods for the control routes of WAF v2. */
export interface WafV2Control extends MethodsOf<typeof wafv2> {}

/** Control routes of WAF v2 by name. */
export type WafV2Routes = RoutesOf<typeof wafv2>;
