import CombineCore
import Testing

@testable import RxCore

struct DisposableTests {
    private final class Counter: Disposable {
        var count = 0
        func dispose() { count += 1 }
    }

    @Test func `an action runs once`() {
        var count = 0
        let disposable = Disposables.create { count += 1 }
        #expect(!disposable.isDisposed)
        disposable.dispose()
        disposable.dispose()
        #expect(count == 1)
        #expect(disposable.isDisposed)
    }

    @Test func `a boolean disposable records its disposal`() {
        let disposable = BooleanDisposable()
        #expect(!disposable.isDisposed)
        disposable.dispose()
        #expect(disposable.isDisposed)
        #expect(BooleanDisposable(isDisposed: true).isDisposed)
    }

    @Test func `a composite disposes of its members in order and of later ones immediately`() {
        var order: [Int] = []
        let composite = CompositeDisposable(
            disposables: (1...5).map { number in Disposables.create { order.append(number) } })
        #expect(composite.count == 5)
        composite.dispose()
        #expect(order == [1, 2, 3, 4, 5])
        let late = Counter()
        #expect(composite.insert(late) == nil)
        #expect(late.count == 1)
        #expect(composite.count == 0)
    }

    @Test func `removing a member disposes of it and not of the others`() throws {
        let (one, other) = (Counter(), Counter())
        let composite = CompositeDisposable()
        let key = try #require(composite.insert(one))
        _ = composite.insert(other)
        composite.remove(for: key)
        composite.remove(for: key)
        #expect((one.count, other.count) == (1, 0))
        #expect(composite.count == 1)
    }

    @Test func `a deallocated composite does not dispose of its members`() {
        let member = Counter()
        var composite: CompositeDisposable? = CompositeDisposable(member, member)
        #expect(composite?.isDisposed == false)
        composite = nil
        #expect(member.count == 0)
    }

    @Test func `a serial disposable disposes of the previous one`() {
        let (first, second, late) = (Counter(), Counter(), Counter())
        let serial = SerialDisposable()
        serial.disposable = first
        serial.disposable = second
        #expect((first.count, second.count) == (1, 0))
        serial.dispose()
        #expect(second.count == 1)
        serial.disposable = late
        #expect(late.count == 1)
        #expect(serial.isDisposed)
    }

    @Test func `a single assignment can be disposed of before it is assigned`() {
        let (late, early) = (Counter(), Counter())
        let first = SingleAssignmentDisposable()
        first.dispose()
        first.setDisposable(late)
        #expect(late.count == 1)
        let second = SingleAssignmentDisposable()
        second.setDisposable(early)
        #expect(early.count == 0)
        second.dispose()
        second.dispose()
        #expect(early.count == 1)
    }

    @Test func `a deallocated bag disposes of its members`() {
        let (one, other, third) = (Counter(), Counter(), Counter())
        var bag: DisposeBag? = DisposeBag()
        one.disposed(by: bag ?? DisposeBag())
        bag?.insert(other)
        bag?.insert { third }
        #expect(one.count + other.count + third.count == 0)
        bag = nil
        #expect((one.count, other.count, third.count) == (1, 1, 1))
    }

    @Test func `a bag disposes of members that are added after its disposal immediately`() {
        let (early, late) = (Counter(), Counter())
        let bag = DisposeBag(disposing: early)
        bag.disposeOfAll()
        bag.insert(late)
        #expect((early.count, late.count) == (1, 1))
    }

    @Test func `a bag does not grow with finished subscriptions`() {
        let bag = DisposeBag()
        for number in 0..<10_000 { Observable.just(number).subscribe(onNext: { _ in }).disposed(by: bag) }
        #expect(bag.count == 0)
        #expect(bag.held <= 64)
        let subject = PublishSubject<Int>()
        subject.subscribe(onNext: { _ in }, onDisposed: {}).disposed(by: bag)
        #expect(bag.count == 1)
        subject.onCompleted()
        #expect(bag.count == 0)
    }

    @Test func `Combine's cancellables and disposables convert to each other`() {
        let counter = Counter()
        counter.asCancellable().cancel()
        #expect(counter.count == 1)
    }

    @Test func `a function can list disposables with the bag's result builder`() {
        func bag(@DisposeBag.DisposableBuilder of list: () -> [any Disposable]) -> DisposeBag {
            DisposeBag(disposing: list())
        }
        let (first, second) = (BooleanDisposable(), BooleanDisposable())
        withExtendedLifetime(
            bag {
                first
                second
            }
        ) {
            #expect(!first.isDisposed)
        }
        #expect(first.isDisposed)
        #expect(second.isDisposed)
    }
}
