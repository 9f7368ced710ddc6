public import Foundation

extension NSArray: CustomDumpRepresentable {
    /// The elements.
    public var customDumpValue: Any { map { $0 } }
}

extension NSAttributedString: CustomDumpRepresentable {
    /// The characters.
    public var customDumpValue: Any { string }
}

extension NSCalendar: CustomDumpRepresentable {
    /// The structure that the object stands for.
    public var customDumpValue: Any { self as Calendar }
}

extension NSData: CustomDumpRepresentable {
    /// The structure that the object stands for.
    public var customDumpValue: Any { self as Data }
}

extension NSDate: CustomDumpRepresentable {
    /// The structure that the object stands for.
    public var customDumpValue: Any { self as Date }
}

extension NSDictionary: CustomDumpRepresentable {
    /// The entries.
    public var customDumpValue: Any {
        var entries: [AnyHashable: Any] = [:]
        for (key, value) in self {
            if let key = key as? AnyHashable { entries[key] = value }
        }
        return entries
    }
}

extension NSIndexPath: CustomDumpRepresentable {
    /// The structure that the object stands for.
    public var customDumpValue: Any { self as IndexPath }
}

extension NSIndexSet: CustomDumpRepresentable {
    /// The structure that the object stands for.
    public var customDumpValue: Any { self as IndexSet }
}

extension NSLocale: CustomDumpRepresentable {
    /// The structure that the object stands for.
    public var customDumpValue: Any { self as Locale }
}

extension NSMeasurement: CustomDumpRepresentable {
    /// The structure that the object stands for.
    public var customDumpValue: Any { self as Measurement }
}

extension NSNotification: CustomDumpRepresentable {
    /// The structure that the object stands for.
    public var customDumpValue: Any { self as Notification }
}

extension NSOrderedSet: CustomDumpRepresentable {
    /// The elements, in order.
    public var customDumpValue: Any { array }
}

extension NSRange: CustomDumpRepresentable {
    /// The range; nil if it stands for no location.
    public var customDumpValue: Any { Range(self) as Any }
}

extension NSSet: CustomDumpRepresentable {
    /// The elements.
    public var customDumpValue: Any { Set(allObjects.compactMap { $0 as? AnyHashable }) }
}

extension NSString: CustomDumpRepresentable {
    /// The characters.
    public var customDumpValue: Any { String(describing: self) }
}

extension NSTimeZone: CustomDumpRepresentable {
    /// The structure that the object stands for.
    public var customDumpValue: Any { TimeZone(identifier: name) as Any }
}

extension NSURL: CustomDumpRepresentable {
    /// The structure that the object stands for.
    public var customDumpValue: Any { self as URL }
}

extension NSURLComponents: CustomDumpRepresentable {
    /// The structure that the object stands for.
    public var customDumpValue: Any { self as URLComponents }
}

extension NSURLQueryItem: CustomDumpRepresentable {
    /// The structure that the object stands for.
    public var customDumpValue: Any { self as URLQueryItem }
}

extension NSUUID: CustomDumpRepresentable {
    /// The structure that the object stands for.
    public var customDumpValue: Any { self as UUID }
}

extension NSValue: CustomDumpStringConvertible {
    /// The number or the other value.
    public var customDumpDescription: String { description }
}
