#!/usr/bin/env perl
# Try verify_record.pl on docs/fairness/vectors.json: verify_vectors.pl VECTORS.
use strict;
use warnings;
use FindBin;
use JSON::PP ();
require "$FindBin::Bin/verify_record.pl";

my $tried = 0;
sub check { $tried++; same(@_) }
open my $file, '<:raw', $ARGV[0] or die "$ARGV[0]: $!\n";
my $vectors = JSON::PP->new->utf8->decode(join '', <$file>);
my ($terms, $seals, $commitments, $heads, $keys, $statements, $successors, $members,
    $runs, $words, $numbers, $draws, $refill) = map { delete $vectors->{$_} // die "no $_\n" }
    qw(terms seals commitments heads keys statements successors members runs words
    numbers draws refill);
die "unknown: @{[ keys %$vectors ]}\n" if %$vectors;

check('terms', terms_of($_->{terms}), $_->{sha256}) for @$terms;
check('seal', seal_of(@$_{qw(key run table round terms secret)}), $_->{seal})
    for @$seals;
check('commitment', commitment_of(@$_{qw(seal seat handle link)}), $_->{commitment})
    for @$commitments;
my @story = @{ $heads->{heads} };
check('first head', first_head(@$heads{qw(key run table)}), my $head = shift @story);
for my $update (@{ $heads->{updates} }) {
    check('head', $head = next_head($head, text($update)), shift @story);
}
for my $case (@$keys) {
    my @links = map { { seat => $_->[0], link => $_->[1] } } @{ $case->{links} };
    my $key = unpack 'H*', key_of(@$case{qw(secret head)}, \@links);
    check('key', $key, $case->{key});
    check('digits', digits_of($case->{head}, \@links), $case->{digits} =~ s/ //r);
}
for my $case (@$statements) {
    my $bytes = statement_of(@$case{qw(key run table seq kind round head note)});
    check('statement', unpack('H*', $bytes), $case->{signed});
}
for my $case (@$successors) {
    my $bytes = parts('successor', map { bytes($_) } @$case{qw(key heir)});
    check('successor', unpack('H*', $bytes), $case->{signed});
}
for my $case (@$members) {
    my @texts = map { text($_) } @$case{qw(name address)}, @{ $case->{doors} };
    my $bytes = parts('member', (map { bytes($_) } @$case{qw(fleet key)}), @texts);
    check('member', unpack('H*', $bytes), $case->{signed});
}
for my $case (@$runs) {
    my ($name, $journal, $epoch, $salt) = @$case{qw(name journal epoch salt)};
    my $run = hash('run', text($name), text($journal), number($epoch), bytes($salt));
    check('run', $run, $case->{run});
}
my $draw = stream(bytes($words->{key}));
check('words', [map { $draw->(2**32) } @{ $words->{words} }], $words->{words});
for my $case (@$numbers) {
    my ($draw, $all) = (stream(bytes($case->{key})), stream(bytes($case->{key})));
    my $right = $case->{numbers};
    check('numbers', [map { $draw->($case->{below}) } @$right], $right);
    $all->(2**32) for 1 .. $case->{words_used};
    check('words used', $draw->(2**32), $all->(2**32));
}
for my $case (@$draws, $refill) {
    my @told = split ' ', $case->{cards};
    my $shoe = { left => $case->{left}, below => $case->{below_cut},
        deck => [split ' ', $case->{deck}] };
    my $key = bytes($case->{key});
    my ($below, @cards) = shoe_of($case->{terms}, $shoe, $key, scalar @told);
    check('cards', [@cards[0 .. $#told]], \@told);
    my $until = defined $below ? @cards - $below : undef;
    check('until_cut', $until, $case->{until_cut});
    next if !$case->{refill};
    my @refill = refill($case->{terms}, $key, @cards);
    my $again = [split ' ', $case->{refill}];
    check('discards', scalar @refill, $case->{discards});
    check('refill', [@refill[0 .. $#$again]], $again);
}
print "$tried values are right.\n";
