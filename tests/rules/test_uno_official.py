"""The rules of official UNO, one by one, on positions: numbers in names are those of the rules in the documentation."""

from __future__ import annotations

from short_positions import moves, refusal
from uno_official_games import at, events, settle

from fsm import UnoOfficial
from rules.uno.cards import UNO_CARDS


def opened(players: int, *after_hands: str) -> UnoOfficial:
    """A round in which these cards follow the hands."""
    names = UNO_CARDS.names(UnoOfficial.full_deck())
    for card in after_hands:
        names.remove(card)
    at_place = 7 * players
    deck = [*names[:at_place], *after_hands, *names[at_place:]]
    return UnoOfficial.parse(f"{players} {' '.join(deck)}")


class TestOpening:
    def test_4_wild_draw_fours_go_under_the_draw_pile_in_their_order(self) -> None:
        game = opened(3, "WF", "WF", "R5")
        assert game.open_card == "R5"
        assert game.draw_pile[-2:] == ("WF", "WF")
        assert len(game.draw_pile) == 108 - 21 - 1

    def test_the_deck_is_the_one_that_was_dealt(self) -> None:
        game = opened(3, "WF", "WF", "R5")
        assert UNO_CARDS.names(game.dealt_deck())[21:24] == ["WF", "WF", "R5"]
        game.run()
        assert UNO_CARDS.names(game.restarted().dealt_deck())[21:24] == ["WF", "WF", "R5"]

    def test_5_a_number_the_seat_after_the_dealer_begins(self) -> None:
        game = opened(3, "R5")
        assert (game.step().dest, game.player, game.turn) == ("await-play", 2, 2)

    def test_5_a_skip_the_first_player_misses_the_turn(self) -> None:
        game = opened(3, "RS")
        assert (game.step().dest, game.player) == ("skip-pending", 2)
        assert (game.step().dest, game.player) == ("await-play", 3)

    def test_5_a_draw_two_the_first_player_draws_two_and_misses_the_turn(self) -> None:
        game = opened(3, "RD")
        for _ in range(5):
            step = game.step()
        assert (step.trigger, step.dest, game.player) == ("pass_turn", "await-play", 3)
        assert [len(hand) for hand in game.hands] == [7, 9, 7]

    def test_5_a_reverse_the_direction_turns_and_the_dealer_plays_first(self) -> None:
        game = opened(3, "RR")
        assert (game.step().dest, game.player, game.direction) == ("await-play", 1, -1)

    def test_9_a_reverse_of_two_players_is_a_skip_at_the_opening_too(self) -> None:
        game = opened(2, "RR")
        assert (game.step().dest, game.player, game.direction) == ("skip-pending", 2, 1)
        assert (game.step().dest, game.player) == ("await-play", 1)

    def test_5_a_wild_the_first_player_names_the_colour_then_plays(self) -> None:
        game = opened(3, "WC")
        assert (game.step().dest, game.player, game.colour) == ("colour-choice", 2, None)
        assert (game.name("B").dest, game.player, game.colour) == ("await-play", 2, "B")


class TestPlaying:
    def test_7_a_card_fits_by_colour_or_symbol_and_wilds_always(self) -> None:
        game = at("await-play hands=R1,G5,B2,WC,WF/B1 discard=R5 draw=...")
        assert moves(game) == ["play R1", "play G5", "play WF", "play WC", "draw"]

    def test_7_after_a_wild_only_the_named_colour_counts(self) -> None:
        game = at("await-play colour=B hands=R1,G5,B2/B1 discard=WC draw=...")
        assert moves(game) == ["play B2", "draw"]

    def test_a_card_that_does_not_fit_is_refused_with_the_reason(self) -> None:
        game = at("await-play hands=R1,G6/B1 discard=R5 draw=...")
        assert refusal(game, "play", "G6") == (
            "player 1 cannot play G6 on R5: G6 must be of the current colour R, have the symbol of R5, or be a wild; "
            "may play R1 or draw"
        )

    def test_8_only_the_drawn_card_may_be_laid_after_drawing(self) -> None:
        game = at("await-play hands=R1,R2/B1 discard=R5 draw=R3,...")
        game.draw()
        game.step()
        assert game.step().dest == "drawn-choice"
        assert moves(game) == ["play R3", "keep"]
        assert refusal(game, "play", "R1").startswith(
            "player 1 cannot play R1 on R5: after drawing only the drawn card may be laid"
        )
        assert (game.keep().dest, game.player) == ("await-play", 2)

    def test_8_a_drawn_card_that_does_not_fit_ends_the_turn(self) -> None:
        game = at("await-play hands=R1,R2/B1 discard=R5 draw=G3,...")
        game.draw()
        game.step()
        assert (game.step().dest, game.player) == ("await-play", 2)

    def test_8_of_two_wild_draw_fours_the_drawn_one_is_any(self) -> None:
        game = at("await-play hands=WF,R2/B1 discard=R5 draw=WF,...")
        game.draw()
        game.step()
        game.step()
        assert moves(game) == ["play WF", "keep"]
        assert game.play("WF").dest == "effect-pending"

    def test_9_a_reverse_turns_the_direction(self) -> None:
        game = at("await-play hands=RR,R2,R3/B1/B2 discard=R5 draw=...")
        game.play("RR")
        assert (game.step().dest, game.player, game.direction) == ("await-play", 3, -1)


class TestDrawFour:
    HONEST = "await-play hands=WF,G2,G3/B1,R1/B2 discard=R5 draw=..."
    BLUFF = "await-play hands=WF,R2,G3/B1,B3/B2 discard=R5 draw=..."

    def challenged(self, position: str) -> UnoOfficial:
        game = at(position)
        game.play("WF")
        game.step()
        assert (game.name("G").dest, game.player, game.turn) == ("challenge-pending", 2, 2)
        return game

    def test_10_accepted_the_next_player_draws_four_and_misses_the_turn(self) -> None:
        game = self.challenged(self.BLUFF)
        game.accept()
        while not game.starts_turn:
            game.step()
        assert ([len(hand) for hand in game.hands], game.player, game.colour) == ([2, 6, 1], 3, "G")

    def test_10_a_right_challenge_costs_the_offender_four_and_the_challenger_plays(self) -> None:
        game = self.challenged(self.BLUFF)
        assert game.challenge().dest == "draw-pending"
        assert (game.player, game.turn, repr(game)) == (
            1, 2, "<UnoOfficial draw-pending: player 1 acts, player 2 in turn, open card WF>",
        )  # fmt: skip
        while not game.starts_turn:
            game.step()
        assert ([len(hand) for hand in game.hands], game.player, game.colour) == ([6, 2, 1], 2, "G")

    def test_10_a_wrong_challenge_costs_six_and_the_turn(self) -> None:
        game = self.challenged(self.HONEST)
        game.challenge()
        while not game.starts_turn:
            game.step()
        assert ([len(hand) for hand in game.hands], game.player) == ([2, 8, 1], 3)

    def test_7_symbols_and_wilds_make_nobody_guilty(self) -> None:
        game = self.challenged("await-play hands=WF,G5,WC/B1,B3/B2 discard=R5 draw=...")
        game.challenge()
        assert (game.player, game.due) == (2, 6)

    def test_the_victim_does_not_see_whether_the_offender_is_guilty(self) -> None:
        game = self.challenged(self.BLUFF)
        assert " guilty=1 " in game.position()
        assert [" guilty=? " in game.position(seen_by=player) for player in (1, 2, 3)] == [True] * 3

    def test_7_guilt_is_settled_when_the_card_is_laid(self) -> None:
        game = at("await-play hands=WF,G2/B1,B3/B2 discard=R5 draw=R1,R2,...")
        game.play("WF")
        game.stay_silent()
        game.catch()
        while game.phase != "colour-choice":
            game.step()
        game.name("R")
        assert "R1" in game.hands[0]
        game.challenge()
        assert (game.player, game.due) == (2, 6)


class TestCalls:
    SILENT = "await-play hands=RS,G2/B1,B3/B2,Y1 discard=R5 draw=..."

    def test_11_one_card_left_its_player_calls_before_the_effect(self) -> None:
        game = at(self.SILENT)
        assert game.play("RS").dest == "uno-call"
        assert game.call().dest == "effect-pending"
        assert (game.uno_calls, game.step().dest) == ((1, 0, 0), "skip-pending")

    def test_11_the_others_are_asked_one_after_another(self) -> None:
        game = at(self.SILENT)
        game.play("RS")
        game.stay_silent()
        assert (game.player, game.turn, moves(game)) == (2, 1, ["catch", "let_pass"])
        assert [len(game.view(player).moves) for player in (1, 2, 3)] == [0, 2, 0]
        game.let_pass()
        assert (game.phase, game.player, game.turn) == ("uno-pending", 3, 1)
        assert game.let_pass().dest == "effect-pending"
        assert (game.player, game.turn) == (1, 1)

    def test_11_the_asking_goes_in_the_direction_of_play(self) -> None:
        game = at(self.SILENT + " reversed=1")
        game.play("RS")
        game.stay_silent()
        assert game.player == 3
        game.let_pass()
        assert game.player == 2

    def test_11_the_first_who_catches_ends_it_and_two_are_drawn(self) -> None:
        game = at(self.SILENT)
        game.play("RS")
        game.stay_silent()
        game.catch()
        assert (game.player, game.turn, game.due) == (1, 1, 2)
        while game.phase != "effect-pending":
            game.step()
        assert (len(game.hands[0]), game.step().dest) == (3, "skip-pending")

    def test_who_is_asked_and_not_who_is_in_turn_is_refused(self) -> None:
        game = at(self.SILENT)
        game.play("RS")
        game.stay_silent()
        assert refusal(game, "play", "B1") == (
            "player 2 cannot play B1 on RS: not an event of uno-pending, where player 2 is asked to catch or let_pass; "
            "may catch or let_pass"
        )


class TestDrawing:
    def test_12_the_pile_is_turned_when_a_card_is_due_and_not_before(self) -> None:
        game = at("await-play hands=R1,R2/B1,... discard=G1,G2,R5 draw=Y9")
        game.draw()
        assert game.step().card == "Y9"
        assert (game.draw_pile, game.discard_pile) == ((), ("G1", "G2", "R5"))

    def test_12_its_bottom_card_is_drawn_first(self) -> None:
        game = at("await-play hands=R1,R2/B1,... discard=G1,G2,R5 draw=-")
        game.draw()
        assert [game.step().trigger for _ in range(3)] == ["run_out", "turn_pile", "take"]
        assert (game.history[-1].card, game.draw_pile) == ("G1", ("G2",))

    def test_12_what_is_due_lapses_where_neither_pile_has_a_card(self) -> None:
        game = at("await-play hands=RD,R2,R3/B1,... discard=R5 draw=-")
        game.play("RD")
        while not game.starts_turn:
            game.step()
        assert "2 take R5" in events(game)
        assert [step.trigger for step in game.history].count("lapse") == 1


class TestEnd:
    def test_13_a_draw_two_as_last_card_is_drawn_and_counted(self) -> None:
        game = at("await-play hands=RD/B1/B2 discard=R5 draw=WC,R9,...")
        game.run()
        assert game.outcome is not None
        assert (game.outcome.winner, game.outcome.scores) == (1, (0, 60, 2))

    def test_13_a_wild_draw_four_as_last_card_names_nothing_and_is_not_challenged(self) -> None:
        game = at("await-play hands=WF/R1/B2 discard=R5 draw=WC,R9,Y1,Y2,...")
        game.run()
        assert game.outcome is not None
        assert (game.outcome.winner, game.outcome.scores, game.colour) == (1, (0, 63, 2), None)

    def test_13_any_other_effect_is_left_out(self) -> None:
        game = at("await-play hands=RR/B1/B2 discard=R5 draw=...")
        game.run()
        assert (game.direction, [step.trigger for step in game.history]) == (1, ["play", "take_effect"])

    def test_14_a_position_that_returns_ends_the_round_also_by_hand(self) -> None:
        game = at("await-play hands=R1,R2/B1,... discard=R5 draw=-")
        for player in (1, 2):
            assert (game.player, "draw" in moves(game)) == (player, True)
            game.draw()
            assert [game.step().trigger for _ in range(2)] == ["lapse", "pass_turn"]
        assert moves(game) == ["abandon"]
        assert refusal(game, "draw") == "player 1 cannot draw: abandon is forced; may abandon"
        assert game.step().trigger == "abandon"
        assert str(game.outcome) == "no winner: endless"
        game.undo()
        assert moves(game) == ["abandon"]

    def test_14_wilds_that_look_alike_are_one_in_a_position_that_returns(self) -> None:
        game = at("await-play colour=R hands=WC,R1,R2/WC,B1,... discard=WC draw=-")
        for step in ("play WC", "name R", "draw", "play WC", "name R", "draw", "keep", "draw"):
            event, *named = step.split()
            getattr(settle(game), event)(*named)
        assert settle(game).player == 1
        assert moves(game) == ["abandon"]

    def test_15_the_winner_scores_the_sum_of_all_other_hands(self) -> None:
        game = at("await-play hands=R1/WC,WF,RS/B2,Y0 discard=R5 draw=...")
        game.run()
        scoring = game.declaration.scoring
        assert scoring.points is not None
        assert [scoring.points(game.table, seat) for seat in range(3)] == [122, 0, 0]
