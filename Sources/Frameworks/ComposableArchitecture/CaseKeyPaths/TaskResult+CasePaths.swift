public import CasePaths

extension TaskResult: CasePathable {
    /// The case paths of a result.
    public struct AllCasePaths: Sendable {
        /// The path to the value: `\.response.success`.
        public var success: AnyCasePath<TaskResult, Success> {
            AnyCasePath(embed: { .success($0) }, extract: { if case .success(let value) = $0 { value } else { nil } })
        }

        /// The path to the error.
        public var failure: AnyCasePath<TaskResult, any Error> {
            AnyCasePath(embed: { .failure($0) }, extract: { if case .failure(let error) = $0 { error } else { nil } })
        }
    }

    /// The case paths.
    public static var allCasePaths: AllCasePaths { AllCasePaths() }
}
