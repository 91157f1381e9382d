"""Each promise of SECURITY.md is held by tests: all of them are there, and no promise is without one."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
TEXT = (ROOT / "SECURITY.md").read_text(encoding="utf-8")
ROWS = [line.strip("| ").split(" | ") for line in TEXT.splitlines() if line.startswith("| ")][1:]

HELD_BY = {
    "`serve` listens on this machine only": ["play/test_live.py", "play/test_address.py", "play/test_party.py"],
    "Requests with a foreign Host": [
        *("play/test_live.py", "play/test_address.py"),
        "test_a_header_that_is_there_twice",
    ],
    "A request can never name a file": ["play/test_live.py", "test_fuzz.py"],
    "Bodies and messages": [
        *("test_a_head_that_is_too_large", "test_a_head_that_does_not_end", "test_trailers_are_no_headers"),
        *("test_trailers_and_chunk_extensions_have_an_end", "play/test_socket.py"),
        "test_a_socket_is_closed_for_what_is_no_message_of_a_sane_size",
    ],
    "Connections, games, rooms": [
        *("test_more_connections_than_there_is_room_for", "test_what_a_client_does_not_read_does_not_pile_up"),
        *("test_tables_are_bounded_and_removed_when_they_were_not_used", "test_who_answers_no_ping_is_disconnected"),
        "test_a_room_is_bounded_in_bytes_whatever_people_do",
    ],
    "Each client and each person": [
        *("test_rates_let_so_much_through_at_once_and_so_much_later", "test_codes_cannot_be_tried_out"),
        *("test_who_may_not_listen_is_told_why", "test_hints_are_searched_for_so_often_and_no_more"),
        *("test_one_client_cannot_keep_others_from_opening_tables",),
        *("test_a_client_is_its_address_or_the_one_that_a_proxy_on_this_machine_names",),
        *("test_one_client_listens_to_so_many_tables_and_all_together_to_more",),
    ],
    "A change that cannot be stored": [
        *("test_what_cannot_be_stored_is_neither_answered_nor_pushed_nor_seen",),
        *("test_a_table_that_is_damaged_in_the_file_is_answered_with_404",),
        *("test_the_file_of_another_program_is_left_alone",),
    ],
    "No client can end the server": [
        *("test_clients_that_leave", "test_a_browser_that_aborts_what_it_loads"),
        *("test_a_signal_while_requests_are_under_way", "test_an_answer_is_short_however_much_is_wrong"),
        "test_a_number_in_an_answer_is_short",
    ],
    "A slow player": [
        "test_others_are_answered_while_a_room_is_loaded_once",
        "test_others_are_answered_while_a_player_takes_time_and_a_page_asks_for_its_game",
    ],
    "Except a salted hash": [
        *("play/test_secrets.py", "test_hidden_cards_change_nothing"),
        *("test_a_forced_event_that_tells_a_hidden_card_is_caught",),
        *("test_who_declines_a_claim_is_not_told_to_the_others",),
    ],
    "No seed, other person's token": [
        *("test_no_seed_number_or_key_is_sent", "test_no_secret_is_shown"),
        *("test_no_push_or_response_has_a_card_that_the_seat_cannot_know",),
        *("test_each_link_shows_its_seat_and_no_other", "test_who_watches_can_do_nothing"),
    ],
    "Open hands, decks and replays": [
        *("test_a_round_is_replayed_with_open_hands_when_it_is_over_and_not_before",),
        *("test_a_deal_is_fixed_by_its_hash_and_opened_when_the_round_is_over",),
        *("test_a_hand_that_was_not_shown_keeps_its_deal_closed",),
    ],
    "A person who has seen hidden cards": ["test_who_has_seen_cards_of_a_round_takes_no_other_seat_of_it"],
    "A person who was removed": ["test_one_link_lets_all_in_and_nobody_after_somebody_was_removed"],
    "A move counts once": [
        "test_a_move_that_is_sent_twice_is_done_once",
        "test_a_move_that_was_accepted_before_a_restart_is_done_once",
    ],
    "After a kill no move": [
        "test_a_table_is_restored_exactly_at_any_time",
        "test_a_server_that_is_killed_and_started_again_goes_on",
    ],
    "Only the owner can read": ["faults/test_cache.py", "play/test_tables.py"],
    "Machine code runs only from": ["faults/test_cache.py"],
    "Machine code runs only if": [
        *("test_every_cut_and_every_flipped_bit_is_detected",),
        *("test_a_kernel_that_is_refused_is_replaced_and_nothing_else_is_claimed",),
        *("test_kernels_that_cannot_be_stored_are_not_reported_as_ready",),
    ],
    "A kernel is never used": ["fsm/test_hashes.py", "kernels/test_kernel.py", "kernels/test_lanes.py"],
    "A kill while the cache": ["test_a_kill_at_any_moment_leaves_a_whole_kernel_or_none"],
    "Nothing in a net's file": [
        *("agents/test_nets.py", "test_any_bytes_are_refused"),
        *("test_a_damaged_header_is_refused_or_says_the_same",),
        *("test_a_net_for_something_else_is_refused_in_one_sentence", "test_a_net_is_given_rows_of_its_own_shape"),
    ],
    "A net sees": ["test_hidden_cards_that_are_dealt_anew_change_no_move"],
    "A changed bit": [
        *("TestEveryBit", "TestTheManifest"),
        *("test_each_fault_is_named_whatever_the_others_are",),
    ],
    "A study never counts": ["TestFilesThatChanged", "TestForeignFiles", "TestWhatLiesInTheFolder"],
    "After a kill or a full disk": ["study/test_study_kill.py"],
    "Positions that break": [
        *("fsm/test_position.py", "fsm/test_uno_position.py", "fsm/test_changed_positions.py"),
        *("test_a_position_at_which_the_rules_fail_is_refused_and_the_game_stays",),
    ],
    "Every event and the result": ["fsm/test_record.py"],
    "Players that a record names": ["test_a_player_who_is_not_here_is_replayed"],
    "Decks, numbers and arrays": [
        *("fsm/test_checked.py", "test_numbers.py", "study/test_study.py", "kernels/test_bulk.py"),
        "test_another_game_is_not_searched",
    ],
    "Any bytes": [
        *("test_fuzz.py", "test_answers_that_never_end"),
        *("test_a_file_that_never_ends_is_not_read",),
    ],
    "No input, broken stream": ["faults"],
}
"""By the first words of each promise: the files below tests/, and the tests and classes of tests, that hold it."""


def promise_of(words: str) -> list[str]:
    return [promise for promise, _ in ROWS if promise.startswith(words)]


def test_each_promise_is_held_by_tests_and_no_other_is_listed() -> None:
    assert sorted(promise for promise, _ in ROWS) == sorted(
        promise for words in HELD_BY for promise in promise_of(words)
    )
    assert all(HELD_BY.values())


@pytest.mark.parametrize("name", sorted({name for names in HELD_BY.values() for name in names}))
def test_what_holds_a_promise_is_there(name: str) -> None:
    if not re.match(r"test_\w+$|Test", name):
        assert (ROOT / "tests" / name).exists()
        return
    defined = re.compile(rf"^ *(async )?(def|class) {name}\b", re.MULTILINE)
    assert any(defined.search(path.read_text(encoding="utf-8")) for path in (ROOT / "tests").rglob("test_*.py"))


def test_it_is_short() -> None:
    assert len(re.findall(r"[\w`']\S*", TEXT)) <= 700
    assert all(len(cell.split()) <= 15 for row in ROWS for cell in row)
