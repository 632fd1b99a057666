import type {
  OrganizationsAccount,
  OrganizationsResponsibilityTransfer,
  OrganizationsSummary,
} from '../routes/organizations.ts';
import { AreaControl } from './area.ts';

/** Control routes of Organizations. */
export class OrganizationsControl extends AreaControl {
  /** Lists the member accounts of all organizations, and the organizations. `GET /_emulator/organizations/accounts` */
  accounts(): Promise<{ accounts: OrganizationsAccount[]; organizations: OrganizationsSummary[] }> {
    return this.transport.json('GET /_emulator/organizations/accounts');
  }

  /**
   * Lists transfers of responsibility by id; none without an organization. `GET
   * /_emulator/organizations/responsibility-transfers`
   */
  responsibilityTransfers(): Promise<{ responsibilityTransfers: OrganizationsResponsibilityTransfer[] }> {
    return this.transport.json('GET /_emulator/organizations/responsibility-transfers');
  }
}
