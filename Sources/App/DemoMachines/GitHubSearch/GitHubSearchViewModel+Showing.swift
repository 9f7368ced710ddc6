import GitHubAPI

extension GitHubSearchViewModel.Store {
    /// Starts a new search and clears the results of the previous one.
    func begin(_ text: String) {
        query = text
        repositories = []
        page = 0
        totalCount = 0
        hasMore = false
        errorMessage = nil
        isLoading = true
    }

    /// Shows the result of a request.
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
        // The results remain, so that the client can request the failed page again.
        case .failure(let error): errorMessage = error.message
        }
    }
}
