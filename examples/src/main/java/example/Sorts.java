package example;

// page begin
import io.fieldstone.sort.RadixSort;

final class Sorts {

  private Sorts() {}

  // example begin
  static int indexOfLeast(int[] keys) {
    int[] order = RadixSort.argsort(keys); // keys stay as they are
    RadixSort.sort(keys);
    return order[0];
  }
  // example end
}
// page end
