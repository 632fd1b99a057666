import type { WafV2Request, WafV2Verdict } from '../routes/wafv2.ts';
import { AreaControl } from './area.ts';

/** Control routes of WAF v2. */
export class WafV2Control extends AreaControl {
  /**
   * Evaluates a request by the rules of a web ACL. `POST /_emulator/wafv2/evaluate`
   * @throws ApiError 404 for an unknown web ACL
   */
  evaluate(webAclArn: string, request: WafV2Request): Promise<WafV2Verdict> {
    return this.transport.json('POST /_emulator/wafv2/evaluate', { body: { webAclArn, request } });
  }
}
