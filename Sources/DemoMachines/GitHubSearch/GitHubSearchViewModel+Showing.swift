import GitHubAPI

extension GitHubSearchViewModel.Store {
    /// A new search: nothing of the one before stays.
    func begin(_ text: String) {
        query = text
        repositories = []
        page = 0
        totalCount = 0
        hasMore = false
        errorMessage = nil
        isLoading = true
    }

    /// A failure leaves what is shown, so that the page that failed can be asked for again.
    func show(_ outcome: Result<RepositoryPage, GitHubError>) {
        isLoading = false
        switch outcome {
        case .success(let next):
            let known = Set(repositories.map(\.id))
            repositories += next.repositories.filter { !known.contains($0.id) }
            page = next.number
            totalCount = next.totalCount
            hasMore = next.nextPage != nil
            errorMessage = nil
        case .failure(let error): errorMessage = error.message
        }
    }
}
