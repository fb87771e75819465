#!/usr/bin/env perl
# Check the rounds of a record without the game, and without Python:
#
#     perl tests/whole/verify_record.pl tonight.jsonl
#
# It is written from docs/fairness.md and docs/protocol.md alone, and needs perl 5.14.
# It checks the chain, seals, commitments, links, calls, what is left in the shoe, its
# order, the cut card, refills and every card; neither signatures nor money, nor the
# rules of play. Status 1: the last line says what does not hold, and where.
use strict;
use warnings;
use Digest::SHA qw(sha256 hmac_sha256);
use JSON::PP ();

my @RANKS = qw(2 3 4 5 6 7 8 9 T J Q K A);
my @PACK = map { my $suit = $_; map { "$_$suit" } @RANKS } qw(s h d c);
my %PLACE = map { $PACK[$_] => $_ } 0 .. 51;
my $JSON = JSON::PP->new->utf8;
my $CANONICAL = JSON::PP->new->canonical->ascii->allow_nonref;
my ($where, %checked, %partly) = ('');

sub wrong { $! = 1; die "$where: @_\n" }    # $! is the status
sub same {    # numbers, texts, lists, objects and null alike
    my $what = shift;
    my ($told, $right) = map { $CANONICAL->encode($_) =~ s/"(-?\d+)"/$1/gr } @_;
    wrong("$what: $told is told, $right is right") if $told ne $right;
}

# Bytes.
sub parts { join '', map { pack 'N/a*', $_ } "blackjack table 2, $_[0]", @_[1 .. $#_] }
sub number { pack 'Q>', $_[0] }
sub text { my $text = $_[0]; utf8::encode($text); $text }
sub bytes {
    my $hex = $_[0] // 'null';
    $hex =~ /^[0-9a-f]{64}\z/ ? pack 'H*', $hex : wrong("$hex is no hash");
}
sub hash { unpack 'H*', sha256(parts(@_)) }
sub terms_of { hash('terms', $CANONICAL->encode($_[0])) }
sub seal_of {
    my ($key, $run, $table, $round, $terms, $secret) = @_;
    my @run = (bytes($key), bytes($run), text($table));
    hash('seal', @run, number($round), bytes($terms), bytes($secret));
}
sub commitment_of {
    my ($seal, $seat, $handle, $link) = @_;
    hash('commitment', bytes($seal), number($seat), text($handle), bytes($link));
}
sub first_head { hash('story', bytes($_[0]), bytes($_[1]), text($_[2])) }
sub next_head { hash('update', bytes($_[0]), $_[1]) }
sub statement_of {
    my ($key, $run, $table, $seq, $kind, $round, $head, $note) = @_;
    my @story = (bytes($key), bytes($run), text($table), number($seq));
    parts('statement', @story, $kind, number($round), bytes($head), text($note));
}
sub draw_of {    # the parts of a key and of digits
    my ($tag, $head, $links) = @_;
    my @links = sort { $a->{seat} <=> $b->{seat} } @$links;
    parts($tag, bytes($head), map { number($_->{seat}), bytes($_->{link}) } @links);
}
sub key_of { hmac_sha256(draw_of('draw', @_[1, 2]), bytes($_[0])) }
sub digits_of { sprintf '%08d', unpack('Q>', sha256(draw_of('digits', @_))) % 1e8 }

# From a key to cards.
sub stream {
    my ($key, $block, @words) = ($_[0], 0);
    return sub {
        while (1) {
            @words = unpack 'N8', hmac_sha256(number($block++), $key) if !@words;
            my $word = shift @words;
            return $word % $_[0] if $word < 2**32 - 2**32 % $_[0];
        }
    };
}
sub count { my @many = (0) x 52; $many[$PLACE{$_}]++ for @_; \@many }
sub lay_out {
    my (@many, @cards) = @{ $_[0] };
    while (my @some = grep { $many[$_] > 0 } 0 .. 51) {
        push @cards, @PACK[@some];
        $many[$_]-- for @some;
    }
    return @cards;
}
sub drawn {
    my ($draw, @pile) = @_;
    my @cards;
    while (@pile) {
        my $place = $draw->(scalar @pile);
        push @cards, $pile[$place];
        $pile[$place] = $pile[-1];
        pop @pile;
    }
    return @cards;
}
sub by_hand {
    my ($draw, @cards) = @_;
    my ($mongean, $overhand) = ($draw->(6), $draw->(6));
    for my $some (reverse 1 .. ($overhand < @cards ? $overhand : @cards)) {
        my $from = int(@cards / 2) - int(($some + 1 - @cards % 2) / 2);
        unshift @cards, splice @cards, $from, $some;
    }
    for (1 .. $mongean) {
        my @odd = grep { $_ % 2 } 0 .. $#cards;
        @cards = @cards[reverse(@odd), grep { $_ % 2 == 0 } 0 .. $#cards];
    }
    return @cards;
}
sub endless {
    my ($draw, $many) = @_;
    my @ranks = ('A', @RANKS[0 .. 11]);
    map { $ranks[$draw->(13)] . (qw(s h d c))[$_ % 4] } 0 .. $many - 1;
}
sub full {    # left: how many of each; below: under the cut card, null for unplaced
    my @deck = map { my $rank = $_; map { "$rank$_" } qw(c d h s) } @RANKS;
    return { left => [($_[0]{decks}) x 52], below => undef, deck => \@deck };
}

sub shoe_of {    # the order that a key makes of a shoe, and what is under the cut card
    my ($terms, $shoe, $key, $many) = @_;
    my ($kind, $draw, $below) = ($terms->{shoe}, stream($key));
    return undef, endless($draw, $many) if $kind eq 'endless';
    return undef, by_hand($draw, @{ $shoe->{deck} }) if $kind eq 'never_refilled';
    if ($kind eq 'cut_card') {
        my $room = $terms->{cut_card_max} - $terms->{cut_card_min} + 1;
        $below = $shoe->{below} // $terms->{cut_card_min} + $draw->($room);
    }
    return $below, drawn($draw, lay_out($shoe->{left}));
}
sub refill {
    my ($terms, $key, @dealt) = @_;
    my ($out, $all) = (count(@dealt), full($terms)->{left});
    my $draw = stream(hmac_sha256('blackjack table, refill', $key));
    return drawn($draw, lay_out([map { $all->[$_] - $out->[$_] } 0 .. 51]));
}

# One round, once its secret is known. Returns the shoe that it leaves.
sub cards_of {
    my ($terms, $shoe, $round, $secret) = @_;
    my ($kind, @told) = ($terms->{shoe}, @{ $round->{told} });
    my $key = key_of($secret, $round->{head} // '0' x 64, $round->{began}{links});
    my ($below, @cards) = shoe_of($terms, $shoe, $key, scalar @told);
    my $until = defined $below ? @cards - $below : undef;
    my (@dealt, $hole, $again);
    same('until_cut', $round->{began}{until_cut}, $until);
    while (my $event = shift @told) {
        my $next = @told ? $told[0]{type} : '';
        if ($event->{type} eq 'card_dealt') {
            my $card = shift @cards // wrong('a card of an empty shoe');
            push @dealt, $card;
            if ($event->{card} eq '??') { $hole = $card }
            else { same('card', $event->{card}, $card) }
            my $is_out = defined $until && $until > 0 && --$until == 0;
            wrong('the cut card') if $is_out != ($next eq 'cut_card_reached');
        }
        elsif ($event->{type} eq 'hole_revealed') {
            same('hole', $event->{card}, $hole);
        }
        elsif ($event->{type} eq 'discards_shuffled') {
            wrong('a refill') if @cards || $again++ || $next ne 'card_dealt';
            @cards = refill($terms, $key, @dealt);
            same('refill', $event->{cards}, scalar @cards);
        }
    }
    my $is_over = $kind eq 'every_round' || $again || defined $until && $until == 0;
    my $left = $kind eq 'endless' ? undef : scalar @cards;
    return { left => count(@cards), below => $below, deck => \@cards,
        is_over => $is_over, cards_left => $left, until_cut => $until };
}

# What one player heard and said, line by line.
sub hear_snapshot {
    my ($me, $table) = @_;
    my $story = $table->{story} // wrong('nothing is proven at this table');
    my $is_run = ($me->{run} // '') eq $story->{run};
    same('head', $story->{head}, $me->{heads}{ $table->{seq} })
        if $is_run && $me->{heads}{ $table->{seq} };
    return if $is_run && $me->{seq} == $table->{seq};
    my ($left, $until) = @{ $table->{shoe} }{qw(cards_left until_cut)};
    my $shoe = full($table->{house}{terms});
    my $is_full = $table->{phase} ne 'playing' && ($left // 0) == 52 * $shoe->{left}[0];
    $shoe->{below} = $left - $until if $is_full && defined $until;
    %$me = (
        %$story, seq => $table->{seq}, heads => { $table->{seq} => $story->{head} },
        table => $table->{table}, terms => $table->{house}{terms},
        hash => terms_of($table->{house}{terms}), sent => $me->{sent},
        handle => $me->{handle},
        shoe => $is_full ? $shoe : undef, opened => undef,
        bets => { map { $_->{seat} => $_ } grep { $_->{bet} } @{ $table->{seats} } },
    );
    $me->{bets}{$_}{amount} = $me->{bets}{$_}{bet} for keys %{ $me->{bets} };
    my %opened = map { $_ => $table->{$_} } qw(round seal);
    $me->{opened} = \%opened if $table->{seal};
}

sub hear_update {
    my ($me, $update, $frame) = @_;
    return if $update->{seq} <= $me->{seq};
    wrong("update $update->{seq} after $me->{seq}") if $update->{seq} != $me->{seq} + 1;
    $me->{seq} = $update->{seq};
    $me->{heads}{ $me->{seq} } = $me->{head} = next_head($me->{head}, $frame);
    hear_event($me, $_) for @{ $update->{events} };
}
sub hear_event {
    my ($me, $event) = @_;
    my ($type, $opened, $round) = ($event->{type}, $me->{opened}, $me->{round});
    if ($type eq 'betting_opened') {
        $me->{opened} = { round => $event->{round}, seal => $event->{seal} };
        @$me{qw(round bets)} = (undef, {});
    }
    elsif ($type eq 'bet_placed') { $me->{bets}{ $event->{seat} } = $event }
    elsif ($type eq 'bet_returned') { delete $me->{bets}{ $event->{seat} } }
    elsif ($type eq 'shoe_shuffled' && !$event->{by_hand}) {
        $me->{shoe} = full($me->{terms});
    }
    elsif ($type eq 'bets_closed') { hear_call($me, $event) }
    elsif ($type eq 'round_began') {
        $round = $me->{round} //= { told => [] };
        $round->{began} = $event;
        check_links($me, $event, $round->{call}, $opened) if $opened;
    }
    elsif ($type =~ /^(card_dealt|hole_revealed|cut_card_reached|discards_shuffled)$/) {
        push @{ $round->{told} }, $event if $round;
    }
    elsif ($type =~ /^round_(ended|voided)$/) { hear_end($me, $event) }
}
sub hear_call {
    my ($me, $call) = @_;
    my ($opened, $terms) = @$me{qw(opened terms)};
    $me->{round} = { call => $call, head => $me->{head}, told => [] };
    for ($opened ? qw(round seal) : ()) {
        same("$_ of the call", $call->{$_}, $opened->{$_});
    }
    my @bets = map { [$_->{seat}, $_->{amount}, $_->{spots}] } @{ $call->{bets} };
    my @placed = map { [$_, @{ $me->{bets}{$_} }{qw(amount spots)}] }
        sort { $a <=> $b } keys %{ $me->{bets} };
    same('bets', \@bets, \@placed) if $opened;
    my $is_deck = $terms->{shoe} eq 'never_refilled';
    my $shoe = $me->{shoe} //= { left => $call->{left}, deck => $call->{deck},
        below => $call->{below_cut} };
    my $has_left = !$is_deck && $terms->{shoe} ne 'endless';
    wrong('the shoe had to be shuffled') if $shoe->{is_over};
    same('left', $call->{left}, $has_left ? $shoe->{left} : undef);
    same('deck', $call->{deck}, $is_deck ? $shoe->{deck} : []);
    same('below_cut', $call->{below_cut}, $shoe->{below});
    my ($mine) = grep { $_->{handle} eq $me->{handle} } @{ $call->{bets} };
    same('my commitment', $mine->{commitment}, $me->{sent}{commitment})
        if $mine && $me->{sent};
}
sub check_links {
    my ($me, $began, $call, $opened) = @_;
    my %missing = map { $_ => 1 } @{ $began->{missing} };
    my %link = map { $_->{seat} => $_->{link} } @{ $began->{links} };
    my @seats = sort { $a <=> $b } keys %{ $me->{bets} };
    for my $bet ($call ? @{ $call->{bets} } : ()) {
        my ($seat, $handle, $commitment) = @$bet{qw(seat handle commitment)};
        next if $missing{$seat};
        my $link = delete $link{$seat};
        wrong("the link of seat $seat") if defined $link != defined $commitment;
        my $right = $link && commitment_of($opened->{seal}, $seat, $handle, $link);
        same("the commitment of seat $seat", $commitment, $right);
        same('my link', $link, $me->{link})
            if $me->{link} && $handle eq $me->{handle};
    }
    wrong('a link too many') if %link;
    same('seats', $began->{seats}, $call
        ? [grep { !$missing{$_} } map { $_->{seat} } @{ $call->{bets} }] : \@seats);
    $me->{link} = undef;
}
sub hear_end {
    my ($me, $end) = @_;
    my ($opened, $round, $shoe) = @$me{qw(opened round shoe)};
    my $name = "$me->{run} $me->{table} $end->{round}";
    my $to = $opened && [@$me{qw(key run table)}, $opened->{round}, $me->{hash}];
    same('round', $end->{round}, $opened->{round}) if $opened;
    same('seal', $opened->{seal}, seal_of(@$to, $end->{secret})) if $opened;
    my $is_dealt = $round && $round->{began};
    my $is_whole = $opened && $is_dealt && ($round->{call} || $shoe);
    my $is_empty = $opened && $end->{type} eq 'round_voided' && !$is_dealt;
    my $after = $is_whole && cards_of($me->{terms}, $shoe, $round, $end->{secret});
    $is_whole || $is_empty ? $checked{$name}++ : $partly{$name}++;
    $me->{shoe} = $after || undef if $end->{type} eq 'round_ended';
    if ($is_whole && $end->{type} eq 'round_ended') {
        same($_, $end->{$_}, $after->{$_}) for qw(cards_left until_cut);
    }
    @$me{qw(opened round)} = ();
}
sub hear_signed {
    my ($me, $signed) = @_;
    wrong('signed is what?') if $signed->{kind} !~ /^(start|call|end|void|goodbye)$/;
    my $head = $me->{heads}{ $signed->{seq} };
    $head = first_head(@$me{qw(key run table)}) if $signed->{kind} eq 'start';
    same('head', $signed->{head}, $head) if $head;
}
sub say_command {
    my ($me, $sent) = @_;
    $me->{sent} = $sent if $sent->{type} eq 'place_bet';
    return if $sent->{type} ne 'link';
    $me->{link} = $sent->{link};
    same('the head of my link', $sent->{head}, $me->{round}{head});
}

sub take_line {
    my ($me, $said, $frame) = @_;
    say_command($me, $said->{sent}) if $said->{sent};
    my $heard = $said->{heard} // return;
    my $type = $heard->{type};
    if ($type eq 'snapshot') { hear_snapshot($me, $heard) }
    elsif ($type eq 'update') { hear_update($me, $heard, $frame) }
    elsif ($type eq 'signed') { hear_signed($me, $heard) }
    elsif ($type !~ /^(refused|answered|recalled|tables)$/) { wrong("a $type") }
}
sub main {
    my ($path) = @_;
    my %players;
    open my $file, '<:raw', $path or die "$path: $!\n";
    while (my $line = <$file>) {
        $where = "$path, line $.";
        my $said = eval { $JSON->decode($line) } // wrong('no JSON');
        if ($said->{record}) { %players = (); next }
        my $kinds = join ' ', sort keys %$said;
        wrong('a line of another kind') if $kinds !~ /^at handle (heard|line|sent)$/;
        my $handle = $said->{handle} // '';
        my $me = $players{$handle} //= { handle => $handle };
        $where .= ", round $me->{opened}{round}" if $me->{opened};
        my ($frame) = $line =~ /"heard": (.*)\}\s*\z/s;
        next if eval { take_line($me, $said, $frame); 1 };
        my $why = $@ =~ s/\n\z//r =~ s/^\Q$where\E: //r;
        wrong($why);    # what perl itself finds, such as a list for a number, too
    }
    delete @partly{ keys %checked };
    printf "%d rounds are right, %d were not followed.\n", scalar keys %checked,
        scalar keys %partly;
}
main(@ARGV) if !caller;
1;
