import { resourcegroups } from '../../src/scenarios/resourcegroups.ts';
import { describeConformance } from '../support/conformance.ts';

describeConformance(resourcegroups);
