import { resourcegroupstaggingapi } from '../../src/scenarios/resourcegroupstaggingapi.ts';
import { describeConformance } from '../support/conformance.ts';

describeConformance(resourcegroupstaggingapi);
