import { cloudwatch } from '../../src/scenarios/cloudwatch.ts';
import { describeConformance } from '../support/conformance.ts';

describeConformance(cloudwatch);
