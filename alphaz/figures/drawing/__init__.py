"""Drawing of figures. Figures of measurements need matplotlib (the extra `bench`), which no other part of alphaz
uses."""
