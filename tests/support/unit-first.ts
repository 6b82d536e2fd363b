import { BaseSequencer, type TestSpecification } from 'vitest/node';

/**
 * Starts unit tests first: some wait for a second each, and run in parallel with the large HTTP test files, which keep
 * the processors busy. Only small files are left for the end.
 */
export class UnitFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    const isUnit = ({ project }: TestSpecification) => project.name === 'unit';
    return [...sorted.filter(isUnit), ...sorted.filter((file) => !isUnit(file))];
  }
}
